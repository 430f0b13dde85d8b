import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import type { Doctor } from './doctor.ts'

interface DoctorServices {
  readonly doctor: Doctor
}

export const getDoctor: Handler<Routes['getDoctor'], DoctorServices> = async (_input, { doctor }) => ({
  status: 200,
  body: await doctor.report(),
})

export const runCanary: Handler<Routes['runCanary'], DoctorServices> = async (_input, { doctor }) => ({
  status: 200,
  body: await doctor.runCanaries(),
})

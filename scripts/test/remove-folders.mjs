/** Set-up of each test file: its folders go after all that the file itself does at its end. */
import { afterAll } from 'vitest'
import { removeTemporaryFolders } from './temporary-folder.mjs'

afterAll(removeTemporaryFolders)

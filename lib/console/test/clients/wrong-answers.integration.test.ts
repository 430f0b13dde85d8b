import { interpreted } from './test-programs.ts'
import { testWrongAnswers } from './test-wrong-answers.ts'

testWrongAnswers(interpreted)

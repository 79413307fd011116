import { scriptValidation } from './script/schema.js';
import { buildValidator } from './script/validator.js';
import { templateValidation } from './template-script.js';

/** A program: the set-up runs it once the TypeScript is compiled. */
for (const source of [scriptValidation, templateValidation()]) buildValidator(source);

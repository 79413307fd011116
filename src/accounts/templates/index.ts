export type { NewTemplate, Template, TemplateChanges, TemplateFacts } from './template-store.js';
export { maxTemplates, TemplateStore } from './template-store.js';

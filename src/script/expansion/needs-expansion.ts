import { isObject, type Raw } from '../raw.js';
import { hasPlaceholder } from '../substitute.js';

const movieControls = ['variables'];
const sceneControls = ['variables', 'condition', 'iterate', 'iterate-as', 'iterate_as', 'import'];
const elementControls = ['variables', 'condition'];

/** Whether a script has expressions, variables, conditions, iterations or imports; most have none. */
export function needsExpansion(script: unknown): script is Raw {
  if (!isObject(script)) return false;
  if (hasAny(script, movieControls) || containsPlaceholder(script)) return true;
  return (
    listOf(script.elements).some(isControlled) ||
    listOf(script.scenes).some((scene) => hasAny(scene, sceneControls) || (isObject(scene) && listOf(scene.elements).some(isControlled)))
  );
}

function isControlled(element: unknown): boolean {
  return hasAny(element, elementControls) || (isObject(element) && listOf(element.elements).some(isControlled));
}

function hasAny(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.some((name) => Object.hasOwn(value, name));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function containsPlaceholder(script: Raw): boolean {
  const open: unknown[] = [script];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && value.includes('{{') && hasPlaceholder(value)) return true;
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) open.push(inner);
  }
  return false;
}

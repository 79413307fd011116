import type { Studio } from '../state/studio.js';

/** Handles playback keys on the whole page except in inputs and other controls that use them. Returns the unsubscribe function. */
export function listenToKeys(studio: Studio): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || studio.session.key.peek() === '') return;
    const target = event.target as HTMLElement;
    const isScrubber = target instanceof HTMLInputElement && target.type === 'range';
    if (!isScrubber && target.closest('input, textarea, select, video, dialog, [contenteditable=true], .timeline, [role=tablist]') !== null) return;
    // Buttons and links use the space bar themselves.
    if (event.key === ' ' && target.closest('button, a, summary') !== null) return;
    if (play(studio, event)) event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

/** Executes a playback key. Returns false for other keys. */
export function play({ player, preview }: Studio, event: KeyboardEvent): boolean {
  const { fps = 25, duration = 0 } = preview.plan.peek() ?? {};
  switch (event.key) {
    case ' ':
      player.toggle();
      return true;
    case 'ArrowLeft':
      player.stepFrames(event.shiftKey ? -Math.round(fps) : -1);
      return true;
    case 'ArrowRight':
      player.stepFrames(event.shiftKey ? Math.round(fps) : 1);
      return true;
    case 'Home':
      player.seek(0);
      return true;
    case 'End':
      player.seek(duration);
      return true;
    default:
      return false;
  }
}

// Synthesised sounds: a stone, a call, and a clock that runs out. A person can turn them off.

import { state } from "./state.js";

/** @type {AudioContext | null} */
let audio = null;

// Browsers let a page sound only after the person has done something in it.
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, () => {
    if (state.look.sound) audio ??= new AudioContext();
  }, { passive: true });
}

/** The tones of each sound: frequency in Hz, start and duration in s, volume. @type {Record<string, [number, number, number, number][]>} */
const TONES = {
  move: [[1100, 0, 0.03, 0.25], [240, 0, 0.07, 0.35]],
  turn: [[587, 0, 0.12, 0.2], [784, 0.1, 0.2, 0.2]],
  low: [[880, 0, 0.06, 0.2]],
};

/**
 * @param {"move" | "turn" | "low"} name
 */
export function sound(name) {
  document.documentElement.dataset.sound = state.look.sound ? name : "";
  if (!state.look.sound || audio?.state !== "running") return;
  for (const [frequency, start, length, loudness] of TONES[name]) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const at = audio.currentTime + start;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(loudness, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}

/** Live sound: whether it can be had, and the rig that has it. */
export { bootAudioSession, watchVisibility, whyNoSound } from './capability';
export { LiveRig, type RigFailure } from './live-rig';

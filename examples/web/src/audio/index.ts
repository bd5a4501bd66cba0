/** Live sound: whether it can be had, and the rig that has it. */
export { bootAudioSession, watchVisibility, whyNoSound } from './capability';
export { LiveRig, type LiveRigOptions, type LiveRigStatus, type RigFailure } from './live-rig';

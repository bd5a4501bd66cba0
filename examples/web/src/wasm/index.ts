/** The library as the page uses it. */
export * as N from './numbers';
export { DuelError, Instance } from './instance';
export { Library, nowUs } from './library';
export { Link } from './link';
export { Pump, Guard } from './pump';
export { Session, type SessionConfig, type SkirmishOrder, type SkirmishOrderWaiting } from './session';
export { Advice, Rig, Room } from './rig';
export type { MapChoice } from './struct';
export type {
  AdviceStatus,
  Agreed,
  Frame,
  Gap,
  LinkConfig,
  LinkEvent,
  LinkStatus,
  PracticeConfig,
  ReplayReport,
  RigAction,
  RigEvent,
  RigStatus,
  RoomConfig,
  ScoreBook,
  SessionEvent,
  SessionStatus,
  SkirmishBuilding,
  SkirmishEffect,
  SkirmishSpec,
  SkirmishUnit,
  SkirmishWorld,
} from './layout';

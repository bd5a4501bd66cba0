/** Where the C ABI's fields lie on wasm32. A test holds every line to `capi/abi/layout-wasm32.txt`. */
import { struct, type Of } from './struct';

export const LinkConfig = struct('duel_link_config', 28, {
  structSize: [0, 'u32'],
  sampleRateHz: [4, 'u32'],
  plan: [8, 'i32'],
  role: [12, 'i32'],
  listen: [16, 'i32'],
  gain: [20, 'f32'],
  receiveOnly: [24, 'i32'],
});

export const Frame = struct('duel_frame', 44, {
  bits: [0, 'u8[32]'],
  bitCount: [32, 'u32'],
  key: [36, 'u32'],
  keyed: [40, 'i32'],
});

export const LinkEvent = struct('duel_link_event', 72, {
  structSize: [0, 'u32'],
  kind: [4, 'i32'],
  atUs: [8, 'u64'],
  bitCount: [16, 'u32'],
  session: [20, 'i32'],
  snrDb: [24, 'f32'],
  key: [32, 'i64'],
  bits: [40, 'u8[32]'],
});

export const LinkStatus = struct('duel_link_status', 96, {
  structSize: [0, 'u32'],
  locked: [4, 'i32'],
  plan: [8, 'i32'],
  detectedPlan: [12, 'i32'],
  txMode: [16, 'i32'],
  rxMode: [20, 'i32'],
  rxGood: [24, 'u64'],
  rxBad: [32, 'u64'],
  lastRxUs: [40, 'i64'],
  snrDb: [48, 'f32'],
  ownSnrDb: [52, 'f32'],
  loopbackMs: [56, 'f32'],
  clockPpm: [60, 'f32'],
  inputPeak: [64, 'f32'],
  gain: [68, 'f32'],
  capacityBits: [72, 'u32'],
  sampleRateHz: [76, 'u32'],
  fault: [80, 'i32'],
  taken: [84, 'i32'],
  dropped: [88, 'u64'],
});

export const Gap = struct('duel_gap', 16, {
  atUs: [0, 'u64'],
  lastedUs: [8, 'i64'],
});

export const RigEvent = struct('duel_rig_event', 20, {
  structSize: [0, 'u32'],
  kind: [4, 'i32'],
  id: [8, 'u32'],
  rateHz: [12, 'u32'],
  flag: [16, 'i32'],
});

export const RigAction = struct('duel_rig_action', 16, {
  structSize: [0, 'u32'],
  kind: [4, 'i32'],
  id: [8, 'u32'],
  micMode: [12, 'i32'],
});

export const RigStatus = struct('duel_rig_status', 80, {
  structSize: [0, 'u32'],
  state: [4, 'i32'],
  lost: [8, 'i32'],
  offersLeave: [12, 'i32'],
  warnsOfAutoLock: [16, 'i32'],
  micMode: [20, 'i32'],
  error: [24, 'i32'],
  errorValues: [28, 'i32[3]'],
  advice: [40, 'i32'],
  reserved: [44, 'i32'],
  lostText: [48, 'text'],
  errorText: [52, 'text'],
  adviceText: [56, 'text'],
  captureOkUs: [64, 'u64'],
  nextWakeUs: [72, 'i64'],
});

export const AdviceStatus = struct('duel_advice_status', 60, {
  structSize: [0, 'u32'],
  route: [4, 'i32'],
  loud: [8, 'i32'],
  gain: [12, 'f32'],
  band: [16, 'i32'],
  fallbackPlan: [20, 'i32'],
  otherRole: [24, 'i32'],
  bandCode: [28, 'i32'],
  bandGoodPercent: [32, 'i32'],
  bandSnrDb: [36, 'f32'],
  bandHz: [40, 'u32[2]'],
  reserved: [48, 'i32'],
  routeText: [52, 'text'],
  bandText: [56, 'text'],
});

export const PracticeConfig = struct('duel_practice_config', 32, {
  structSize: [0, 'u32'],
  plan: [4, 'i32'],
  role: [8, 'i32'],
  latencyMs: [12, 'u32'],
  lossPermille: [16, 'u32'],
  snrDb: [20, 'f32'],
  seed: [24, 'u64'],
});

export const RoomConfig = struct('duel_room_config', 176, {
  structSize: [0, 'u32'],
  noEchoes: [4, 'i32'],
  seed: [8, 'u64'],
  sampleRateHz: [16, 'u32[2]'],
  skewPpm: [24, 'f64[2]'],
  outputLatencyMs: [40, 'f64'],
  inputLatencyMs: [48, 'f64'],
  distanceCm: [56, 'f64'],
  noiseSnr10Db: [64, 'f64'],
  ownPathDb: [72, 'f64'],
  tapsPerSecond: [80, 'f64'],
  tapsOverPeerDb: [88, 'f64'],
  jammerCutoffHz: [96, 'f64'],
  jammerLevelDbfs: [104, 'f64'],
  motionSpeedMS: [112, 'f64'],
  motionReachCm: [120, 'f64'],
  captureCutoffHz: [128, 'f64'],
  agcStepDb: [136, 'f64'],
  agcEveryS: [144, 'f64'],
  dropoutsPerSecond: [152, 'f64'],
  dropoutsLastMs: [160, 'f64'],
  poorTreble: [168, 'i32'],
  reserved: [172, 'i32'],
});

export const Map = struct('duel_map', 12, {
  random: [0, 'i32'],
  index: [4, 'u32'],
  seed: [8, 'u32'],
});

export const SessionConfig = struct('duel_session_config', 72, {
  structSize: [0, 'u32'],
  role: [4, 'i32'],
  build: [8, 'u32'],
  keepMode: [12, 'i32'],
  game: [16, 'text'],
  map: [20, 'map'],
  mutators: [32, 'u32'],
  hostSide: [36, 'i32'],
  start: [40, 'i32'],
  log: [44, 'ptr'],
  logUserdata: [48, 'ptr'],
  seed: [56, 'u64'],
  delayTicks: [64, 'u32'],
  reserved: [68, 'u32'],
});

export const Agreed = struct('duel_agreed', 56, {
  structSize: [0, 'u32'],
  localSide: [4, 'i32'],
  role: [8, 'i32'],
  hostSide: [12, 'i32'],
  map: [16, 'map'],
  mutators: [28, 'u32'],
  seed: [32, 'u32'],
  openers: [36, 'i32[2]'],
  delayTicks: [44, 'u32'],
  fast: [48, 'i32'],
  plan: [52, 'i32'],
});

export const SessionStatus = struct('duel_session_status', 272, {
  structSize: [0, 'u32'],
  phase: [4, 'i32'],
  pairing: [8, 'i32'],
  pickLeftMs: [12, 'i32'],
  hint: [16, 'i32'],
  sinceHeardMs: [20, 'i32'],
  peerHearsMe: [24, 'i32'],
  rxQuality: [28, 'i32'],
  peerRxQuality: [32, 'i32'],
  roundTripUs: [40, 'i64'],
  offered: [48, 'i32'],
  offerMap: [52, 'map'],
  offerMutators: [64, 'u32'],
  offerHostSide: [68, 'i32'],
  offerFast: [72, 'i32'],
  delayTicks: [76, 'i32'],
  localSide: [80, 'i32'],
  ownPick: [84, 'i32'],
  peerPick: [88, 'i32'],
  offerRefused: [92, 'i32'],
  versionAge: [96, 'i32'],
  builds: [100, 'u32[2]'],
  peerEnded: [108, 'i32'],
  rematchOver: [112, 'i32'],
  tick: [116, 'u32'],
  posePermille: [120, 'u32'],
  speedPermille: [124, 'u32'],
  waiting: [128, 'i32'],
  waitingMs: [132, 'u32'],
  overlay: [136, 'i32'],
  overlayLeave: [140, 'i32'],
  menuLeave: [144, 'i32'],
  resignAndLeave: [148, 'i32'],
  paused: [152, 'i32'],
  peerPaused: [156, 'i32'],
  ordersQueued: [160, 'i32'],
  ordersWaiting: [164, 'u32'],
  orderDelayTicks: [168, 'f32'],
  orderDelayMaxTicks: [172, 'u32'],
  stalledTicks: [176, 'u32'],
  stallMs: [184, 'u64'],
  stallByLinkMs: [192, 'u64'],
  framesRefused: [200, 'u32'],
  mode: [204, 'i32'],
  end: [208, 'i32'],
  winner: [212, 'i32'],
  resigned: [216, 'i32'],
  sync: [220, 'i32'],
  endTick: [224, 'u32'],
  settled: [228, 'i32'],
  score: [232, 'i32'],
  peerInLobby: [236, 'i32'],
  closable: [240, 'i32'],
  problem: [244, 'i32'],
  problemValues: [248, 'i32[2]'],
  reserved: [256, 'i32'],
  problemText: [260, 'text'],
  nextWakeUs: [264, 'i64'],
});

export const SessionEvent = struct('duel_session_event', 20, {
  structSize: [0, 'u32'],
  kind: [4, 'i32'],
  value: [8, 'i32'],
  reserved: [12, 'i32'],
  text: [16, 'text'],
});

export const ScoreBook = struct('duel_score_book', 20, {
  wins: [0, 'u32'],
  losses: [4, 'u32'],
  draws: [8, 'u32'],
  abandoned: [12, 'u32'],
  noContest: [16, 'u32'],
});

export const SkirmishSpec = struct('duel_skirmish_spec', 60, {
  structSize: [0, 'u32'],
  cost: [4, 'i32'],
  buildTicks: [8, 'u32'],
  hp: [12, 'i32'],
  sightTiles: [16, 'u32'],
  range: [20, 'i32'],
  speed: [24, 'i32'],
  radius: [28, 'i32'],
  flies: [32, 'i32'],
  boards: [36, 'i32'],
  madeIn: [40, 'i32'],
  needs: [44, 'i32'],
  tiles: [48, 'u32[2]'],
  power: [56, 'i32'],
});

export const SkirmishOrder = struct('duel_skirmish_order', 36, {
  structSize: [0, 'u32'],
  kind: [4, 'i32'],
  units: [8, 'ptr'],
  unitCount: [12, 'u32'],
  object: [16, 'u32'],
  what: [20, 'i32'],
  x: [24, 'i32'],
  y: [28, 'i32'],
  here: [32, 'i32'],
});

export const SkirmishWorld = struct('duel_skirmish_world', 120, {
  structSize: [0, 'u32'],
  tick: [4, 'u32'],
  width: [8, 'u32'],
  height: [12, 'u32'],
  units: [16, 'u32'],
  buildings: [20, 'u32'],
  credits: [24, 'u32[2]'],
  power: [32, 'i32[2]'],
  site: [40, 'i32[2]'],
  sitePermille: [48, 'u32[2]'],
  waveReady: [56, 'u32[2]'],
  powersReady: [64, 'u32[8]'],
  homes: [96, 'u32[4]'],
  waveCost: [112, 'u32'],
  reserved: [116, 'u32'],
});

export const SkirmishUnit = struct('duel_skirmish_unit', 48, {
  id: [0, 'u32'],
  side: [4, 'i32'],
  kind: [8, 'i32'],
  x: [12, 'i32'],
  y: [16, 'i32'],
  hp: [20, 'i32'],
  hpWhole: [24, 'i32'],
  activity: [28, 'i32'],
  target: [32, 'i32'],
  carrier: [36, 'i32'],
  load: [40, 'u32'],
  dugIn: [44, 'i32'],
});

export const SkirmishBuilding = struct('duel_skirmish_building', 80, {
  id: [0, 'u32'],
  side: [4, 'i32'],
  kind: [8, 'i32'],
  tileX: [12, 'u32'],
  tileY: [16, 'u32'],
  tilesX: [20, 'u32'],
  tilesY: [24, 'u32'],
  hp: [28, 'i32'],
  hpWhole: [32, 'i32'],
  target: [36, 'i32'],
  hasRally: [40, 'i32'],
  rallyX: [44, 'i32'],
  rallyY: [48, 'i32'],
  queued: [52, 'u32'],
  queue: [56, 'i32[5]'],
  progressPermille: [76, 'u32'],
});

export const SkirmishEffect = struct('duel_skirmish_effect', 48, {
  structSize: [0, 'u32'],
  kind: [4, 'i32'],
  tick: [8, 'u32'],
  side: [12, 'i32'],
  id: [16, 'i32'],
  what: [20, 'i32'],
  flag: [24, 'i32'],
  seenBy: [28, 'u32'],
  x: [32, 'i32'],
  y: [36, 'i32'],
  toX: [40, 'i32'],
  toY: [44, 'i32'],
});

export const ReplayReport = struct('duel_replay_report', 32, {
  structSize: [0, 'u32'],
  ticks: [4, 'u32'],
  ticksRecorded: [8, 'u32'],
  hashesEqual: [12, 'u32'],
  differsAt: [16, 'i32'],
  agrees: [20, 'i32'],
  builds: [24, 'u32[2]'],
});

export type LinkConfig = Of<typeof LinkConfig>;
export type Frame = Of<typeof Frame>;
export type LinkEvent = Of<typeof LinkEvent>;
export type LinkStatus = Of<typeof LinkStatus>;
export type Gap = Of<typeof Gap>;
export type RigEvent = Of<typeof RigEvent>;
export type RigAction = Of<typeof RigAction>;
export type RigStatus = Of<typeof RigStatus>;
export type AdviceStatus = Of<typeof AdviceStatus>;
export type PracticeConfig = Of<typeof PracticeConfig>;
export type RoomConfig = Of<typeof RoomConfig>;
export type Agreed = Of<typeof Agreed>;
export type SessionStatus = Of<typeof SessionStatus>;
export type SessionEvent = Of<typeof SessionEvent>;
export type ScoreBook = Of<typeof ScoreBook>;
export type SkirmishSpec = Of<typeof SkirmishSpec>;
export type SkirmishOrder = Of<typeof SkirmishOrder>;
export type SkirmishWorld = Of<typeof SkirmishWorld>;
export type SkirmishUnit = Of<typeof SkirmishUnit>;
export type SkirmishBuilding = Of<typeof SkirmishBuilding>;
export type SkirmishEffect = Of<typeof SkirmishEffect>;
export type ReplayReport = Of<typeof ReplayReport>;

//! Where every field lies, on 64-bit machines and on wasm32. Written by `cargo xtask abi --write`.

use crate::*;
use core::mem::offset_of;

/// Fails to compile unless structures and fields are where the committed snapshots say.
macro_rules! lies {
    ($($name:ident $bytes:literal { $($field:ident $at:literal)* })*) => {$(
        const _: () = assert!(size_of::<$name>() == $bytes);
        $(const _: () = assert!(offset_of!($name, $field) == $at);)*
    )*};
}

#[cfg(target_pointer_width = "64")]
lies! {
    duel_link_config 28 { struct_size 0 sample_rate_hz 4 plan 8 role 12 listen 16 gain 20 receive_only 24 }
    duel_frame 44 { bits 0 bit_count 32 key 36 keyed 40 }
    duel_link_event 72 { struct_size 0 kind 4 at_us 8 bit_count 16 session 20 snr_db 24 key 32 bits 40 }
    duel_link_status 96 { struct_size 0 locked 4 plan 8 detected_plan 12 tx_mode 16 rx_mode 20 rx_good 24 rx_bad 32 last_rx_us 40 snr_db 48 own_snr_db 52 loopback_ms 56 clock_ppm 60 input_peak 64 gain 68 capacity_bits 72 sample_rate_hz 76 fault 80 taken 84 dropped 88 }
    duel_gap 16 { at_us 0 lasted_us 8 }
    duel_practice_config 32 { struct_size 0 plan 4 role 8 latency_ms 12 loss_permille 16 snr_db 20 seed 24 }
    duel_rig_event 20 { struct_size 0 kind 4 id 8 rate_hz 12 flag 16 }
    duel_rig_action 16 { struct_size 0 kind 4 id 8 mic_mode 12 }
    duel_rig_status 88 { struct_size 0 state 4 lost 8 offers_leave 12 warns_of_auto_lock 16 mic_mode 20 error 24 error_values 28 advice 40 reserved 44 lost_text 48 error_text 56 advice_text 64 capture_ok_us 72 next_wake_us 80 }
    duel_advice_status 72 { struct_size 0 route 4 loud 8 gain 12 band 16 fallback_plan 20 other_role 24 band_code 28 band_good_percent 32 band_snr_db 36 band_hz 40 reserved 48 route_text 56 band_text 64 }
    duel_order 20 { side 0 bit_count 4 bits 8 }
    duel_game 56 { struct_size 0 reserved 4 userdata 8 step 16 hash 24 outcome 32 save 40 load 48 }
    duel_catalogue 32 { struct_size 0 maps 4 biomes 8 mutators 12 openers 16 blocked_by 20 }
    duel_map 12 { random 0 index 4 seed 8 }
    duel_session_config 80 { struct_size 0 role 4 build 8 keep_mode 12 game 16 map 24 mutators 36 host_side 40 start 44 log 48 log_userdata 56 seed 64 delay_ticks 72 reserved 76 }
    duel_agreed 56 { struct_size 0 local_side 4 role 8 host_side 12 map 16 mutators 28 seed 32 openers 36 delay_ticks 44 fast 48 plan 52 }
    duel_session_status 280 { struct_size 0 phase 4 pairing 8 pick_left_ms 12 hint 16 since_heard_ms 20 peer_hears_me 24 rx_quality 28 peer_rx_quality 32 round_trip_us 40 offered 48 offer_map 52 offer_mutators 64 offer_host_side 68 offer_fast 72 delay_ticks 76 local_side 80 own_pick 84 peer_pick 88 offer_refused 92 version_age 96 builds 100 peer_ended 108 rematch_over 112 tick 116 pose_permille 120 speed_permille 124 waiting 128 waiting_ms 132 overlay 136 overlay_leave 140 menu_leave 144 resign_and_leave 148 paused 152 peer_paused 156 orders_queued 160 orders_waiting 164 order_delay_ticks 168 order_delay_max_ticks 172 stalled_ticks 176 stall_ms 184 stall_by_link_ms 192 frames_refused 200 mode 204 end 208 winner 212 resigned 216 sync 220 end_tick 224 settled 228 score 232 peer_in_lobby 236 closable 240 problem 244 problem_values 248 reserved 256 problem_text 264 next_wake_us 272 }
    duel_session_event 24 { struct_size 0 kind 4 value 8 reserved 12 text 16 }
    duel_score_book 20 { wins 0 losses 4 draws 8 abandoned 12 no_contest 16 }
}

#[cfg(all(target_pointer_width = "64", feature = "room"))]
lies! {
    duel_room_config 176 { struct_size 0 no_echoes 4 seed 8 sample_rate_hz 16 skew_ppm 24 output_latency_ms 40 input_latency_ms 48 distance_cm 56 noise_snr10_db 64 own_path_db 72 taps_per_second 80 taps_over_peer_db 88 jammer_cutoff_hz 96 jammer_level_dbfs 104 motion_speed_m_s 112 motion_reach_cm 120 capture_cutoff_hz 128 agc_step_db 136 agc_every_s 144 dropouts_per_second 152 dropouts_last_ms 160 poor_treble 168 reserved 172 }
}

#[cfg(all(target_pointer_width = "64", feature = "skirmish"))]
lies! {
    duel_skirmish_spec 60 { struct_size 0 cost 4 build_ticks 8 hp 12 sight_tiles 16 range 20 speed 24 radius 28 flies 32 boards 36 made_in 40 needs 44 tiles 48 power 56 }
    duel_skirmish_order 40 { struct_size 0 kind 4 units 8 unit_count 16 object 20 what 24 x 28 y 32 here 36 }
    duel_skirmish_world 120 { struct_size 0 tick 4 width 8 height 12 units 16 buildings 20 credits 24 power 32 site 40 site_permille 48 wave_ready 56 powers_ready 64 homes 96 wave_cost 112 reserved 116 }
    duel_skirmish_unit 48 { id 0 side 4 kind 8 x 12 y 16 hp 20 hp_whole 24 activity 28 target 32 carrier 36 load 40 dug_in 44 }
    duel_skirmish_building 80 { id 0 side 4 kind 8 tile_x 12 tile_y 16 tiles_x 20 tiles_y 24 hp 28 hp_whole 32 target 36 has_rally 40 rally_x 44 rally_y 48 queued 52 queue 56 progress_permille 76 }
    duel_skirmish_effect 48 { struct_size 0 kind 4 tick 8 side 12 id 16 what 20 flag 24 seen_by 28 x 32 y 36 to_x 40 to_y 44 }
    duel_replay_report 32 { struct_size 0 ticks 4 ticks_recorded 8 hashes_equal 12 differs_at 16 agrees 20 builds 24 }
}

#[cfg(target_arch = "wasm32")]
lies! {
    duel_link_config 28 { struct_size 0 sample_rate_hz 4 plan 8 role 12 listen 16 gain 20 receive_only 24 }
    duel_frame 44 { bits 0 bit_count 32 key 36 keyed 40 }
    duel_link_event 72 { struct_size 0 kind 4 at_us 8 bit_count 16 session 20 snr_db 24 key 32 bits 40 }
    duel_link_status 96 { struct_size 0 locked 4 plan 8 detected_plan 12 tx_mode 16 rx_mode 20 rx_good 24 rx_bad 32 last_rx_us 40 snr_db 48 own_snr_db 52 loopback_ms 56 clock_ppm 60 input_peak 64 gain 68 capacity_bits 72 sample_rate_hz 76 fault 80 taken 84 dropped 88 }
    duel_gap 16 { at_us 0 lasted_us 8 }
    duel_practice_config 32 { struct_size 0 plan 4 role 8 latency_ms 12 loss_permille 16 snr_db 20 seed 24 }
    duel_rig_event 20 { struct_size 0 kind 4 id 8 rate_hz 12 flag 16 }
    duel_rig_action 16 { struct_size 0 kind 4 id 8 mic_mode 12 }
    duel_rig_status 80 { struct_size 0 state 4 lost 8 offers_leave 12 warns_of_auto_lock 16 mic_mode 20 error 24 error_values 28 advice 40 reserved 44 lost_text 48 error_text 52 advice_text 56 capture_ok_us 64 next_wake_us 72 }
    duel_advice_status 60 { struct_size 0 route 4 loud 8 gain 12 band 16 fallback_plan 20 other_role 24 band_code 28 band_good_percent 32 band_snr_db 36 band_hz 40 reserved 48 route_text 52 band_text 56 }
    duel_order 20 { side 0 bit_count 4 bits 8 }
    duel_game 32 { struct_size 0 reserved 4 userdata 8 step 12 hash 16 outcome 20 save 24 load 28 }
    duel_catalogue 32 { struct_size 0 maps 4 biomes 8 mutators 12 openers 16 blocked_by 20 }
    duel_map 12 { random 0 index 4 seed 8 }
    duel_session_config 72 { struct_size 0 role 4 build 8 keep_mode 12 game 16 map 20 mutators 32 host_side 36 start 40 log 44 log_userdata 48 seed 56 delay_ticks 64 reserved 68 }
    duel_agreed 56 { struct_size 0 local_side 4 role 8 host_side 12 map 16 mutators 28 seed 32 openers 36 delay_ticks 44 fast 48 plan 52 }
    duel_session_status 272 { struct_size 0 phase 4 pairing 8 pick_left_ms 12 hint 16 since_heard_ms 20 peer_hears_me 24 rx_quality 28 peer_rx_quality 32 round_trip_us 40 offered 48 offer_map 52 offer_mutators 64 offer_host_side 68 offer_fast 72 delay_ticks 76 local_side 80 own_pick 84 peer_pick 88 offer_refused 92 version_age 96 builds 100 peer_ended 108 rematch_over 112 tick 116 pose_permille 120 speed_permille 124 waiting 128 waiting_ms 132 overlay 136 overlay_leave 140 menu_leave 144 resign_and_leave 148 paused 152 peer_paused 156 orders_queued 160 orders_waiting 164 order_delay_ticks 168 order_delay_max_ticks 172 stalled_ticks 176 stall_ms 184 stall_by_link_ms 192 frames_refused 200 mode 204 end 208 winner 212 resigned 216 sync 220 end_tick 224 settled 228 score 232 peer_in_lobby 236 closable 240 problem 244 problem_values 248 reserved 256 problem_text 260 next_wake_us 264 }
    duel_session_event 20 { struct_size 0 kind 4 value 8 reserved 12 text 16 }
    duel_score_book 20 { wins 0 losses 4 draws 8 abandoned 12 no_contest 16 }
}

#[cfg(all(target_arch = "wasm32", feature = "room"))]
lies! {
    duel_room_config 176 { struct_size 0 no_echoes 4 seed 8 sample_rate_hz 16 skew_ppm 24 output_latency_ms 40 input_latency_ms 48 distance_cm 56 noise_snr10_db 64 own_path_db 72 taps_per_second 80 taps_over_peer_db 88 jammer_cutoff_hz 96 jammer_level_dbfs 104 motion_speed_m_s 112 motion_reach_cm 120 capture_cutoff_hz 128 agc_step_db 136 agc_every_s 144 dropouts_per_second 152 dropouts_last_ms 160 poor_treble 168 reserved 172 }
}

#[cfg(all(target_arch = "wasm32", feature = "skirmish"))]
lies! {
    duel_skirmish_spec 60 { struct_size 0 cost 4 build_ticks 8 hp 12 sight_tiles 16 range 20 speed 24 radius 28 flies 32 boards 36 made_in 40 needs 44 tiles 48 power 56 }
    duel_skirmish_order 36 { struct_size 0 kind 4 units 8 unit_count 12 object 16 what 20 x 24 y 28 here 32 }
    duel_skirmish_world 120 { struct_size 0 tick 4 width 8 height 12 units 16 buildings 20 credits 24 power 32 site 40 site_permille 48 wave_ready 56 powers_ready 64 homes 96 wave_cost 112 reserved 116 }
    duel_skirmish_unit 48 { id 0 side 4 kind 8 x 12 y 16 hp 20 hp_whole 24 activity 28 target 32 carrier 36 load 40 dug_in 44 }
    duel_skirmish_building 80 { id 0 side 4 kind 8 tile_x 12 tile_y 16 tiles_x 20 tiles_y 24 hp 28 hp_whole 32 target 36 has_rally 40 rally_x 44 rally_y 48 queued 52 queue 56 progress_permille 76 }
    duel_skirmish_effect 48 { struct_size 0 kind 4 tick 8 side 12 id 16 what 20 flag 24 seen_by 28 x 32 y 36 to_x 40 to_y 44 }
    duel_replay_report 32 { struct_size 0 ticks 4 ticks_recorded 8 hashes_equal 12 differs_at 16 agrees 20 builds 24 }
}

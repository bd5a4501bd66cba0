//! A match on a feed: stalls hold it, ticks come in order, the clock makes no bursts.

mod common;
use common::{Tug, recorded};
use core::time::Duration;
use match_feed::{duel::*, *};

#[test]
fn composed_ticks_are_blue_first_whoever_is_local() {
    let blue = compose_tick(Side::Blue, [1, 2], [3]);
    let red = compose_tick(Side::Red, [3], [1, 2]);
    assert_eq!(blue, red);
    assert_eq!(
        blue.iter().map(|order| order.side()).collect::<Vec<_>>(),
        [Side::Blue, Side::Blue, Side::Red].map(Some)
    );
}

#[test]
fn a_match_stops_at_its_feeds_end_and_at_its_decision() {
    let (record, _) = recorded();
    let mut running = Match::new(Tug::default(), ReplayFeed::new(&record));
    let mut steps = 0;
    while let Step::Stepped(tick) = running.step(HostTime::ZERO) {
        assert_eq!(tick, Tick(steps));
        steps += 1;
    }
    assert_eq!(Tick(steps), record.end.ticks);
    assert_eq!(
        running.step(HostTime::ZERO),
        Step::Over(Outcome::won(Side::Blue))
    );
}

#[test]
fn the_clock_keeps_pace_holds_a_pose_and_never_bursts() {
    let mut clock = TickClock::new(TICK_RATE);
    let mut ticks = 0;
    for _ in 0..60 * 60 {
        clock.advance(Duration::from_micros(16_667), 1000);
        while clock.is_due() {
            clock.stepped();
            ticks += 1;
        }
    }
    assert_eq!(ticks, 600, "ten a second for a minute");

    for _ in 0..300 {
        clock.advance(Duration::from_millis(10), 1000);
        if clock.is_due() {
            clock.stalled();
        }
    }
    assert!(
        clock.permille() >= 999,
        "the pose is held just short of the next tick"
    );
    clock.advance(Duration::from_millis(1), 1000);
    assert!(clock.is_due());
    clock.stepped();
    assert!(
        !clock.is_due(),
        "a stall is followed by one tick, not by all that were missed"
    );

    clock.advance(Duration::from_secs(60), 1000);
    let mut burst = 0;
    while clock.is_due() {
        clock.stepped();
        burst += 1;
    }
    assert!(burst <= 5, "{burst}");
}

#[test]
fn scores_count_and_move() {
    let mut book = ScoreBook::default();
    book.add(Score::of(DuelOutcome::won(Side::Blue), Side::Blue));
    book.add(Score::of(DuelOutcome::won(Side::Blue), Side::Red));
    book.add(Score::of(DuelOutcome::draw(), Side::Red));
    assert_eq!((book.wins, book.losses, book.draws), (1, 1, 1));
    book.move_over(Score::Win, Score::NoContest);
    assert_eq!((book.wins, book.no_contest), (0, 1));
    let both = DuelOutcome::resigned(true, true).unwrap();
    assert_eq!((both.winner, both.reason), (None, EndReason::Resign));
    assert_eq!(
        DuelOutcome::resigned(false, true).unwrap().winner,
        Some(Side::Blue)
    );
    assert_eq!(DuelOutcome::resigned(false, false), None);
}

#[test]
fn a_decided_match_that_proves_out_of_sync_moves_to_no_contest() {
    let mut book = ScoreBook::default();
    let mut score = MatchScore::new(Medium::Sound);
    assert!(
        score.ended(Score::Win, &mut book),
        "written at the decision"
    );
    assert_eq!(book.wins, 1);
    assert!(!score.ended(Score::Win, &mut book), "in sync: nothing new");
    assert!(score.ended(Score::NoContest, &mut book));
    assert_eq!((book.wins, book.no_contest), (0, 1));
    assert_eq!(score.counted(), Some(Score::NoContest));
}

#[test]
fn a_hidden_page_counts_as_abandoned_at_once_and_moves_over_if_the_match_ends() {
    let mut book = ScoreBook::default();
    let mut score = MatchScore::new(Medium::Sound);
    assert!(score.hidden(&mut book));
    assert_eq!(book.abandoned, 1);
    assert!(!score.hidden(&mut book), "hidden again: once is enough");
    assert!(score.ended(Score::Loss, &mut book));
    assert_eq!((book.abandoned, book.losses), (0, 1));
    assert!(!score.hidden(&mut book), "hidden under the report");
    assert_eq!((book.abandoned, book.losses), (0, 1));
}

#[test]
fn a_practice_link_never_writes_the_record_and_says_so() {
    let mut book = ScoreBook::default();
    let mut score = MatchScore::new(Medium::Practice);
    assert!(!score.hidden(&mut book));
    assert!(!score.ended(Score::Win, &mut book));
    assert_eq!((book, score.counted()), (ScoreBook::default(), None));
    assert_eq!(Medium::Practice.note(), Some("Practice link (no sound)"));
    assert_eq!(Medium::Sound.note(), None);
}

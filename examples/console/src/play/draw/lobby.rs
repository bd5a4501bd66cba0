//! The steps before a match: menu, opening, self-test, lobby.

use super::{BAD, FAINT, GOOD, KEY, STRONG, WARN, bar, key, keys};
use crate::play::{
    intent::PLACES,
    view::{FailedView, LobbyView, MenuView, Meters, SelfTestView, Step},
};
use link_transport::Role;
use match_feed::duel::Side;
use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
    widgets::{Paragraph, Wrap},
};

const PLACEMENT: &str = "Lay both phones flat, 10–30 cm apart. Turn the volume to about 75 %, silent switch off. Headphones \
                         out, Bluetooth off.";
const TIPS: &str = "Still nothing heard. Check on both: volume at 75 %, nothing plugged in, the phones 10–30 cm apart with \
                    nothing between them, one hosting and one joining.";
/// Receive quality's highest value.
const BARS: u8 = 7;

fn paragraph(frame: &mut Frame<'_>, area: Rect, lines: Vec<Line<'_>>) {
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), area);
}

fn role_word(role: Role) -> &'static str {
    match role {
        Role::Host => "host",
        Role::Guest => "join",
    }
}

/// Placement, host or join, settings.
pub fn menu(frame: &mut Frame<'_>, area: Rect, view: &MenuView) {
    let choice = |role: Role, name: &'static str, does: &'static str| {
        let style = if view.role == role { STRONG } else { FAINT };
        let mark = if view.role == role { "● " } else { "○ " };
        Line::from(vec![
            Span::styled(mark, style),
            Span::styled(name, KEY),
            Span::styled(does, style),
        ])
    };
    let setting = |name: &'static str, what: &'static str, value: String| {
        Line::from(vec![
            Span::styled(name, KEY),
            Span::raw(format!(" {what:<11}")),
            Span::styled(value, STRONG),
        ])
    };
    let mut lines = vec![
        Line::raw(PLACEMENT),
        Line::raw(""),
        choice(Role::Host, "h", "ost a match"),
        choice(Role::Guest, "j", "oin a match"),
        Line::raw(""),
    ];
    if view.role == Role::Host {
        lines.push(setting("m", "map", view.map.clone()));
        lines.push(setting("b", "band", view.plan.into()));
    }
    if view.role == Role::Host {
        lines.push(Line::raw(""));
        lines.push(Line::raw("Mutators"));
        let keyed = view.mutators.iter().zip(PLACES.chars());
        let spans: Vec<Span<'_>> = keyed
            .flat_map(|((name, on), key)| {
                let style = if *on { GOOD.patch(STRONG) } else { FAINT };
                [
                    Span::styled(key.to_string(), KEY),
                    Span::styled(format!(" {name}  "), style),
                ]
            })
            .collect();
        // Four in a row.
        lines.extend(spans.chunks(8).map(|row| Line::from(row.to_vec())));
    }
    if let Some((wins, losses, draws)) = view.score {
        lines.push(Line::raw(""));
        let score = format!("{wins} won, {losses} lost, {draws} drawn");
        lines.push(Line::styled(score, FAINT));
    }
    lines.push(Line::raw(""));
    let go = match view.role {
        Role::Host => "host",
        Role::Guest => "join",
    };
    lines.push(keys(&[("Enter", go), ("s", "self-test"), ("q", "quit")]));
    paragraph(frame, area, lines);
}

/// Sound is being opened.
pub fn opening(frame: &mut Frame<'_>, area: Rect) {
    let lines = vec![
        Line::styled("Opening the microphone and the speaker…", STRONG),
        Line::raw(""),
        keys(&[("Esc", "back")]),
    ];
    paragraph(frame, area, lines);
}

/// Why it could not be opened.
pub fn failed(frame: &mut Frame<'_>, area: Rect, view: &FailedView) {
    let lines = vec![
        Line::styled(view.why.as_str(), BAD.patch(STRONG)),
        Line::raw(view.advice),
        Line::raw(""),
        keys(&[("Enter", "back")]),
    ];
    paragraph(frame, area, lines);
}

/// One phone listens to itself.
pub fn self_test(frame: &mut Frame<'_>, area: Rect, view: &SelfTestView) {
    let (style, verdict) = match view.verdict {
        None => (FAINT, "Listening to this phone's own packets…"),
        Some(true) => (
            GOOD,
            "This phone hears itself well: speaker, microphone and band work.",
        ),
        Some(false) => (
            BAD,
            "This phone does not hear itself. Turn the volume up, unplug headphones, or try the other band.",
        ),
    };
    let number = |value: Option<f32>, unit: &str| {
        value.map_or("–".into(), |value| format!("{value:.0} {unit}"))
    };
    let lines = vec![
        Line::styled(format!("Self-test, {}", view.band), STRONG),
        Line::raw(""),
        Line::raw(format!("packets   {} good, {} bad", view.good, view.bad)),
        Line::raw(format!("level     {}", number(view.snr_db, "dB"))),
        Line::raw(format!("delay     {}", number(view.loopback_ms, "ms"))),
        Line::raw(""),
        Line::styled(verdict, style),
        Line::raw(""),
        keys(&[("Esc", "back")]),
    ];
    paragraph(frame, area, lines);
}

/// From listening to GO.
pub fn lobby(frame: &mut Frame<'_>, area: Rect, view: &LobbyView) {
    let mut lines = vec![heading(view)];
    if let Some((map, mutators)) = &view.what {
        let side = view.side.map_or("", |side| match side {
            Side::Blue => ", you play blue",
            Side::Red => ", you play red",
        });
        lines.push(Line::raw(format!("{map}, {mutators}{side}")));
    }
    lines.push(Line::raw(""));
    lines.extend(meters(&view.meters));
    lines.push(Line::raw(""));
    lines.extend(step(view));
    if let Some(warning) = &view.warning {
        lines.push(Line::raw(""));
        lines.push(Line::styled(warning.as_str(), WARN));
    }
    if let Some(offer) = &view.offer {
        lines.push(Line::raw(""));
        lines.push(Line::styled(offer.reason.as_str(), WARN));
        let mut spans = Vec::new();
        if offer.plan.is_some() {
            spans.extend(key("f", "switch to band Low"));
        }
        if offer.role {
            spans.extend(key("s", "switch roles: tell your friend to do the same"));
        }
        lines.push(Line::from(spans));
    }
    if view.auto_lock {
        lines.push(Line::styled(
            "Set Auto-Lock to Never: the screen may lock in the match.",
            WARN,
        ));
    }
    lines.push(Line::raw(""));
    lines.push(keys(&[("Esc", "back"), ("q", "quit")]));
    paragraph(frame, area, lines);
}

fn heading(view: &LobbyView) -> Line<'static> {
    let plan = view
        .plan
        .map_or("finding the band".into(), |plan| format!("band {plan}"));
    let again = if view.rematch { "Rematch: " } else { "" };
    let role = role_word(view.role);
    Line::styled(format!("{again}you {role}, {plan}"), STRONG)
}

fn level(bars: u8) -> Style {
    match bars {
        0..2 => BAD,
        2..4 => WARN,
        _ => GOOD,
    }
}

/// Both directions of the link.
pub fn meters(meters: &Meters) -> Vec<Line<'static>> {
    let mut heard = match meters.snr_db {
        Some(snr_db) => format!(" {snr_db:.0} dB"),
        None => " nothing yet".into(),
    };
    if let Some(percent) = meters.good_percent {
        heard += &format!(", {percent} % of packets good");
    }
    let hears_me = meters.hears_me.unwrap_or(0);
    let by_word = if meters.hears_me.is_some() {
        ""
    } else {
        " not known yet"
    };
    let trip = meters
        .round_trip
        .map_or("–".into(), |trip| format!("{} ms", trip.as_millis()));
    let own = meters
        .own_snr_db
        .map_or("–".into(), |own| format!("{own:.0} dB"));
    vec![
        Line::from(vec![
            Span::raw("You hear your friend   "),
            Span::styled(bar(meters.heard, BARS), level(meters.heard)),
            Span::raw(heard),
        ]),
        Line::from(vec![
            Span::raw("Your friend hears you  "),
            Span::styled(bar(hears_me, BARS), level(hears_me)),
            Span::raw(by_word),
        ]),
        Line::styled(
            format!(
                "Round trip {trip} · own sound {own} · microphone peak {:.0} % · playing at {:.0} %",
                100.0 * meters.peak,
                100.0 * meters.gain
            ),
            FAINT,
        ),
    ]
}

fn step(view: &LobbyView) -> Vec<Line<'_>> {
    match &view.step {
        Step::Listening => listening(view),
        Step::Measuring => vec![Line::raw("Your friend is there. Measuring the link…")],
        Step::Picking { openers, left } => {
            let mut lines = vec![Line::styled(
                format!("Pick your opener ({} s)", left.as_millis().div_ceil(1000)),
                STRONG,
            )];
            for (at, opener) in openers.iter().enumerate() {
                lines.push(Line::from(vec![
                    Span::styled(format!("{} ", at + 1), KEY),
                    Span::styled(*opener, STRONG),
                    Span::styled(format!("  {}", about(opener)), FAINT),
                ]));
            }
            lines
        }
        Step::Picked(opener) => vec![Line::raw(format!(
            "You picked {opener}. Waiting for your friend to pick…"
        ))],
        Step::Starting => vec![Line::styled("Starting…", STRONG)],
        Step::OtherVersion(text) => vec![
            Line::styled(text.as_str(), BAD),
            keys(&[("r", "try again")]),
        ],
        Step::Leaving => vec![Line::raw("Saying goodbye…")],
    }
}

fn listening(view: &LobbyView) -> Vec<Line<'_>> {
    let mut lines = vec![Line::raw(match view.role {
        Role::Host => "Waiting for a friend who joins…",
        Role::Guest => "Listening for a friend who hosts…",
    })];
    if view.tips {
        lines.push(Line::styled(TIPS, WARN));
    }
    if view.switch_role {
        lines.push(Line::styled(
            "Nothing heard yet. One phone hosts, the other joins.",
            WARN,
        ));
        let other = match view.role {
            Role::Host => "join instead",
            Role::Guest => "host instead",
        };
        lines.push(keys(&[("s", other)]));
    }
    lines
}

fn about(opener: &str) -> &'static str {
    match opener {
        "prospector" => "one more harvester",
        "raiders" => "two rifles and a scout",
        "fortress" => "a turret and barracks",
        _ => "",
    }
}

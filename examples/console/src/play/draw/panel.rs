//! The panel under the map: the selection, the lists, what is armed, how the link does.

use super::{FAINT, GOOD, KEY, STRONG, WARN, bar, keys};
use crate::play::{
    field::{Armed, List, PANEL_ROWS, lists},
    intent::PLACES,
    view::MatchView,
};
use game_sim::{UnitKind, balance};
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::{Block, Borders, Clear, Paragraph, Wrap},
};
use std::collections::BTreeMap;

/// Paints it.
pub fn draw(frame: &mut Frame<'_>, view: &MatchView<'_>, notice: Option<&str>) {
    let field = view.field;
    let mut lines = match (field.list, field.armed) {
        (Some(list), _) => of_list(view, list),
        (None, Some(armed)) => of_armed(armed),
        (None, None) => of_selection(view),
    };
    let last = match notice {
        Some(notice) => Line::styled(notice.to_owned(), WARN),
        None => of_link(view),
    };
    // A list that needs more lines covers some of the map: an entry that is not shown cannot be chosen.
    let rows = lines.len().max(usize::from(PANEL_ROWS) - 2);
    lines.resize(rows, Line::raw(""));
    lines.push(last);
    let whole = frame.area();
    let height = (lines.len() as u16 + 1).min(whole.height);
    let area = Rect {
        y: whole.height - height,
        height,
        ..whole
    };
    frame.render_widget(Clear, area);
    let block = Block::new().borders(Borders::TOP).border_style(FAINT);
    let text = Paragraph::new(lines).block(block);
    frame.render_widget(text.wrap(Wrap { trim: false }), area);
}

fn of_list(view: &MatchView<'_>, list: List) -> Vec<Line<'static>> {
    fn spans<K>(entries: Vec<lists::Entry<K>>) -> Vec<Vec<Span<'static>>> {
        let keyed = entries.into_iter().zip(PLACES.chars());
        keyed
            .map(|(entry, key)| {
                let style = if entry.why_not.is_none() {
                    STRONG
                } else {
                    FAINT
                };
                let why = entry
                    .why_not
                    .map_or(String::new(), |why| format!(" ({why})"));
                vec![
                    Span::styled(key.to_string(), KEY),
                    Span::styled(format!(" {} {}{why}  ", entry.name, entry.cost), style),
                ]
            })
            .collect()
    }
    let (world, side) = (view.world, view.side);
    let (title, entries) = match list {
        List::Build => ("Build", spans(lists::buildings(world, side))),
        List::Train => ("Make", spans(lists::units(world, side))),
        List::Powers => ("Call down", spans(lists::powers(world, side))),
    };
    let mut lines = vec![Line::from(vec![
        Span::styled(format!("{title}  "), STRONG),
        Span::styled("Esc", KEY),
        Span::styled(" closes", FAINT),
    ])];
    let width = usize::from(view.field.camera.size.0);
    let mut line = Line::default();
    for entry in entries {
        let entry = Line::from(entry);
        if line.width() + entry.width() > width && line.width() > 0 {
            lines.push(std::mem::take(&mut line));
        }
        line.extend(entry);
    }
    lines.push(line);
    lines
}

fn of_armed(armed: Armed) -> Vec<Line<'static>> {
    let what = match armed {
        Armed::Move => "Move where?".into(),
        Armed::AttackMove => "Attack-move where?".into(),
        Armed::Unload => "Put down where?".into(),
        Armed::Rally => "New units gather where?".into(),
        Armed::Power(power) => format!("Call down the {power} where?"),
        Armed::Place(kind) => {
            format!("Place the {kind} where? Its upper left corner is under the cursor.")
        }
    };
    vec![
        Line::styled(what, STRONG),
        keys(&[("Enter, click", "there"), ("right click", "no")]),
    ]
}

fn of_selection(view: &MatchView<'_>) -> Vec<Line<'static>> {
    let (world, field) = (view.world, view.field);
    let mut lines = Vec::new();
    if let Some(building) = field.building.and_then(|id| world.building(id)) {
        lines.push(Line::styled(
            format!("{} {}/{}", building.kind, building.hp, building.hp_whole),
            STRONG,
        ));
        if !building.queue.is_empty() {
            let queue: Vec<String> = building.queue.iter().map(UnitKind::to_string).collect();
            lines.push(Line::raw(format!("making {}", queue.join(", "))));
        }
        lines.push(keys(&[
            ("y", "rally point"),
            ("X", "sell"),
            ("t", "make units"),
        ]));
    } else if field.selected.is_empty() {
        lines.push(keys(&[
            ("space", "select"),
            ("e", "army"),
            ("b", "build"),
            ("t", "make units"),
            ("?", "all keys"),
        ]));
    } else {
        let mut counts = BTreeMap::<UnitKind, u32>::new();
        for unit in field.units(world) {
            *counts.entry(unit.kind).or_default() += 1;
        }
        let counts: Vec<String> = counts
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        lines.push(Line::styled(counts.join(", "), STRONG));
        lines.push(keys(&[
            ("Enter", "act"),
            ("a", "attack-move"),
            ("s", "stop"),
            ("Esc", "none"),
        ]));
    }
    if let Some((kind, done)) = world.site(view.side) {
        lines.push(if done >= 1000 {
            Line::styled(format!("The {kind} is finished: b places it"), GOOD)
        } else {
            let seconds = f64::from(balance::building(kind).build) / 10.0;
            Line::raw(format!(
                "building a {kind} ({seconds:.0} s): {} %",
                done / 10
            ))
        });
    }
    lines
}

fn of_link(view: &MatchView<'_>) -> Line<'static> {
    let meters = &view.meters;
    let own = meters
        .snr_db
        .map_or(String::new(), |snr_db| format!(" {snr_db:.0} dB"));
    Line::styled(
        format!(
            "you hear {}{own} · heard {} · p pauses · ? keys",
            bar(meters.heard, 7),
            bar(meters.hears_me.unwrap_or(0), 7),
        ),
        FAINT,
    )
}

//! What the command line says of the reference game.

use game_sim::map_size;
use link_transport::Mode;
use match_feed::duel::{MUTATORS_MAX, MapChoice};
use versus_pairing::StartMode;

use crate::words::{AiArg, MatchModeArg};

/// Reads `INDEX` or `BIOME:SEED`.
pub fn parse_map(text: &str) -> Result<MapChoice, String> {
    let choice = match text.split_once(':') {
        None => text.parse().ok().map(MapChoice::BuiltIn),
        Some((biome, seed)) => biome
            .parse()
            .ok()
            .zip(seed.parse().ok())
            .map(|(biome, seed)| MapChoice::Random { biome, seed }),
    };
    choice.filter(|&choice| map_size(choice).is_some()).ok_or_else(|| {
        let (maps, biomes) = (game_sim::map_count() - 1, game_sim::biome_count() - 1);
        format!("--map {text}: 0 to {maps}, or BIOME:SEED with a biome of 0 to {biomes}, such as 2:12345")
    })
}

/// What a map is called.
pub fn map_name(choice: MapChoice) -> String {
    let name = game_sim::map_name(choice).unwrap_or("unknown");
    match choice {
        MapChoice::BuiltIn(_) => name.into(),
        MapChoice::Random { seed, .. } => format!("{name} {seed}"),
    }
}

/// Reads a list of indices or names, or `none`, as a mask.
pub fn parse_mutators(text: &str) -> Result<u16, String> {
    let names = game_sim::mutator_names();
    let mut mask = 0;
    for word in text
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty() && *word != "none")
    {
        let index = names
            .iter()
            .position(|name| *name == word)
            .or_else(|| word.parse().ok());
        let index = index
            .filter(|&index| index < names.len().min(MUTATORS_MAX))
            .ok_or_else(|| {
                format!(
                    "--mutators {word}: 0 to {}, or one of {}",
                    names.len() - 1,
                    names.join(", ")
                )
            })?;
        mask |= 1 << index;
    }
    Ok(mask)
}

/// The mode that the host offers.
pub fn start_mode(mode: MatchModeArg) -> StartMode {
    match mode {
        MatchModeArg::Auto => StartMode::Measured,
        MatchModeArg::Robust => StartMode::Fixed(Mode::Robust),
        MatchModeArg::Fast => StartMode::Fixed(Mode::Fast),
    }
}

/// The AI's level.
pub fn ai_level(level: AiArg) -> game_sim::AiLevel {
    match level {
        AiArg::Easy => game_sim::AiLevel::Easy,
        AiArg::Normal => game_sim::AiLevel::Normal,
        AiArg::Hard => game_sim::AiLevel::Hard,
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::Cli;
    use clap::CommandFactory;

    #[test]
    fn help_names_every_mutator_and_opener() {
        let mut cli = Cli::command();
        cli.build();
        let verbs = cli.get_subcommands().cloned().collect::<Vec<_>>();
        for (option, names) in [
            ("mutators", game_sim::mutator_names()),
            ("opener", game_sim::opener_names()),
        ] {
            let mut told = 0;
            for mut command in std::iter::once(&cli).chain(&verbs).cloned() {
                let mut longs = command.get_arguments().filter_map(|arg| arg.get_long());
                let has = longs.any(|long| long.starts_with(option));
                drop(longs);
                if !has {
                    continue;
                }
                told += 1;
                let help = command.render_long_help().to_string();
                let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
                for name in names {
                    assert!(words.contains(name), "{}: {name}", command.get_name());
                }
            }
            assert!(told > 3, "{option}: a duel, loop, relay and more have it");
        }
    }
}

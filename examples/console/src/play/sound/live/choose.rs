//! Which devices there are, and which one a name means.

use cpal::traits::{DeviceTrait, HostTrait};
use std::error::Error;

/// The sound server whose client `cpal` brings along, preferred where it runs: others' sound goes on beside the link.
const SERVER: &str = "PulseAudio";
/// What a sound server calls the recording of what a speaker plays: no microphone.
const MONITOR: &str = ".monitor";

/// Out or in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Speakers.
    Output,
    /// Microphones.
    Input,
}

/// A device as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// What the system knows it by.
    pub id: String,
    /// What a person knows it by.
    pub name: String,
    /// Its own sample rate.
    pub rate_hz: Option<u32>,
}

/// The system's sound.
pub fn host() -> cpal::Host {
    let server = cpal::available_hosts()
        .into_iter()
        .find(|id| id.to_string().eq_ignore_ascii_case(SERVER));
    match server.map(cpal::host_from_id) {
        Some(Ok(host)) => host,
        _ => cpal::default_host(),
    }
}

/// True for a sound server, which moves streams between devices.
pub fn is_server(host: &cpal::Host) -> bool {
    host.id().to_string().eq_ignore_ascii_case(SERVER)
}

/// The device of an id, or the system's own choice.
pub fn device(host: &cpal::Host, direction: Direction, id: Option<&str>) -> Option<cpal::Device> {
    match (id, direction) {
        (None, Direction::Output) => host.default_output_device(),
        (None, Direction::Input) => host.default_input_device(),
        (Some(id), _) => {
            let mut devices = host.devices().ok()?;
            devices.find(|device| fits(device, direction) && id_of(device) == id)
        }
    }
}

fn fits(device: &cpal::Device, direction: Direction) -> bool {
    match direction {
        Direction::Output => device.supports_output(),
        Direction::Input => device.supports_input(),
    }
}

/// What the system knows a device by.
pub fn id_of(device: &cpal::Device) -> String {
    device.id().map_or(String::new(), |id| id.to_string())
}

/// Every device of a direction, microphones before monitors.
///
/// # Errors
/// The system does not answer.
pub fn listed(direction: Direction) -> Result<Vec<Listed>, cpal::Error> {
    let devices = host().devices()?;
    let mut listed: Vec<Listed> = devices
        .filter(|device| fits(device, direction))
        .map(|device| Listed {
            id: id_of(&device),
            name: device.to_string(),
            rate_hz: match direction {
                Direction::Output => device.default_output_config(),
                Direction::Input => device.default_input_config(),
            }
            .ok()
            .map(|config| config.sample_rate()),
        })
        .collect();
    listed.sort_by_key(|device| device.id.ends_with(MONITOR));
    Ok(listed)
}

/// What `--list-devices` says.
///
/// # Errors
/// The system does not answer.
pub fn list() -> Result<Vec<String>, Box<dyn Error>> {
    let mut lines = Vec::new();
    for (title, direction) in [
        ("Speakers (--output)", Direction::Output),
        ("Microphones (--input)", Direction::Input),
    ] {
        lines.push(title.to_owned());
        for (at, device) in listed(direction)?.iter().enumerate() {
            let rate = device
                .rate_hz
                .map_or(String::new(), |rate| format!(", {rate} Hz"));
            lines.push(format!(
                "  {}  {} ({}{rate})",
                at + 1,
                device.name,
                device.id
            ));
        }
    }
    Ok(lines)
}

/// The id of the device that a number or a name means.
///
/// # Errors
/// None, or several: says which there are.
pub fn choose(direction: Direction, name: &str) -> Result<String, Box<dyn Error>> {
    Ok(pick(&listed(direction)?, name)?)
}

fn pick(devices: &[Listed], name: &str) -> Result<String, String> {
    let by_number = name.parse::<usize>().ok();
    if let Some(device) = by_number.and_then(|number| devices.get(number.wrapping_sub(1))) {
        return Ok(device.id.clone());
    }
    let low = name.to_lowercase();
    let bare = |id: &str| {
        id.split_once(':')
            .map_or(id.to_owned(), |(_, id)| id.to_owned())
    };
    let is =
        |device: &&Listed| device.id == name || bare(&device.id) == name || device.name == name;
    if let Some(device) = devices.iter().find(is) {
        return Ok(device.id.clone());
    }
    let part = |device: &&Listed| {
        device.id.to_lowercase().contains(&low) || device.name.to_lowercase().contains(&low)
    };
    let found: Vec<&Listed> = devices.iter().filter(part).collect();
    let names = |devices: &[&Listed]| {
        let names: Vec<String> = devices
            .iter()
            .map(|device| format!("{} ({})", device.name, device.id))
            .collect();
        names.join(", ")
    };
    match found[..] {
        [device] => Ok(device.id.clone()),
        [] => Err(format!(
            "no device is called {name:?}; there are {}",
            names(&devices.iter().collect::<Vec<_>>())
        )),
        _ => Err(format!("{name:?} could be {}", names(&found))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_chosen_by_number_id_name_or_a_part_that_only_one_has() {
        let device = |id: &str, name: &str| Listed {
            id: id.into(),
            name: name.into(),
            rate_hz: None,
        };
        let devices = [
            device("pulseaudio:micA", "Phone A"),
            device("pulseaudio:micB", "Phone B"),
            device("pulseaudio:spkA.monitor", "Monitor of A"),
        ];
        for (name, id) in [
            ("2", "pulseaudio:micB"),
            ("micA", "pulseaudio:micA"),
            ("pulseaudio:micB", "pulseaudio:micB"),
            ("Phone A", "pulseaudio:micA"),
            ("phone b", "pulseaudio:micB"),
            ("monitor", "pulseaudio:spkA.monitor"),
        ] {
            assert_eq!(pick(&devices, name).as_deref(), Ok(id), "{name}");
        }
        let several = pick(&devices, "phone").unwrap_err();
        assert!(several.contains("Phone A") && several.contains("Phone B"));
        let none = pick(&devices, "headset").unwrap_err();
        assert!(none.contains("no device") && none.contains("Phone A"));
    }
}

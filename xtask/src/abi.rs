//! The ABI's promise, held: snapshots of symbols, numbers and layouts, and what may become of them within one
//! `DUEL_ABI`.
//!
//! Everything is read from the committed headers. Layouts are computed for 64-bit machines and for wasm32; the C compiler
//! here is asked whether the first is right, and `capi/src/layout.rs`, written from both, does not compile on a machine
//! where one is wrong.

use crate::capi_test::header::{Field, Header, Structure};
use std::{
    collections::BTreeMap, error::Error, fmt::Write as _, fs, io::ErrorKind, path::Path,
    process::Command,
};

const INCLUDE: &str = "capi/include";
const SNAPSHOTS: &str = "capi/abi";
const ASSERTS: &str = "capi/src/layout.rs";

/// Where a machine puts things.
#[derive(Clone, Copy)]
struct Machine {
    name: &'static str,
    pointer: usize,
}

const MACHINES: [Machine; 2] = [
    Machine {
        name: "x86-64",
        pointer: 8,
    },
    Machine {
        name: "wasm32",
        pointer: 4,
    },
];

/// A field where it lies.
struct Placed {
    name: String,
    of: String,
    at: usize,
    bytes: usize,
}

/// The snapshots as the header gives them, by file.
struct Snapshots(BTreeMap<String, String>);

/// Writes the snapshots; refuses what breaks the promise.
pub fn write(root: &Path) -> Result<(), Box<dyn Error>> {
    let header = read(root)?;
    let (old, new) = (Snapshots::committed(root)?, Snapshots::of(&header));
    old.may_become(&new)?;
    check_compiler(&header)?;
    fs::create_dir_all(root.join(SNAPSHOTS))?;
    for (name, text) in &new.0 {
        fs::write(root.join(SNAPSHOTS).join(name), text)?;
    }
    fs::write(root.join(ASSERTS), asserts(&header))?;
    println!("{} snapshots written to {SNAPSHOTS}", new.0.len());
    Ok(())
}

/// Fails if the header breaks the promise, or has something that the snapshots do not.
pub fn check(root: &Path) -> Result<(), Box<dyn Error>> {
    let header = read(root)?;
    let (old, new) = (Snapshots::committed(root)?, Snapshots::of(&header));
    old.may_become(&new)?;
    check_compiler(&header)?;
    let asserts_stand =
        fs::read_to_string(root.join(ASSERTS)).is_ok_and(|text| text == asserts(&header));
    if old.0 != new.0 || !asserts_stand {
        return Err(format!("{SNAPSHOTS} lacks what is new. Run: cargo xtask abi --write").into());
    }
    let fields: usize = header.structures.iter().map(|one| one.fields.len()).sum();
    println!(
        "the ABI stands: {} functions, {} numbers, {} structures with {fields} fields",
        header.functions.len(),
        header.numbers.len(),
        header.structures.len()
    );
    Ok(())
}

fn read(root: &Path) -> Result<Header, Box<dyn Error>> {
    let header = Header::read(&root.join(INCLUDE));
    header.map_err(|why| format!("{INCLUDE}: {why}").into())
}

impl Snapshots {
    /// All of them, or none where none were ever written. With one lost, anything could become of what it held.
    fn committed(root: &Path) -> Result<Self, Box<dyn Error>> {
        let mut found = BTreeMap::new();
        let mut missing = Vec::new();
        for name in names() {
            match fs::read_to_string(root.join(SNAPSHOTS).join(&name)) {
                Ok(text) => _ = found.insert(name, text),
                Err(why) if why.kind() == ErrorKind::NotFound => missing.push(name),
                Err(why) => return Err(format!("{SNAPSHOTS}/{name}: {why}").into()),
            }
        }
        if !found.is_empty() && !missing.is_empty() {
            let missing = missing.join(", ");
            return Err(format!("{SNAPSHOTS} has lost {missing}: put back what was").into());
        }
        Ok(Self(found))
    }

    fn of(header: &Header) -> Self {
        let mut symbols: Vec<String> = header
            .functions
            .iter()
            .map(|function| {
                let parameters: Vec<String> = function
                    .parameters
                    .iter()
                    .map(|parameter| format!("{} {}", parameter.of, parameter.name))
                    .collect();
                let parameters = parameters.join(", ");
                format!("{}: {} ({parameters})\n", function.name, function.returns)
            })
            .collect();
        symbols.sort();
        let mut numbers: Vec<String> = header
            .numbers
            .iter()
            .map(|(name, value)| format!("{name} = {value}\n"))
            .collect();
        numbers.sort();
        let mut all = BTreeMap::from([
            ("symbols.txt".to_owned(), symbols.concat()),
            ("numbers.txt".to_owned(), numbers.concat()),
        ]);
        for machine in MACHINES {
            all.insert(layout_name(machine), layouts(header, machine));
        }
        Self(all)
    }

    fn number(&self) -> Option<i64> {
        let numbers = self.0.get("numbers.txt")?;
        let line = numbers
            .lines()
            .find_map(|line| line.strip_prefix("DUEL_ABI = "))?;
        line.parse().ok()
    }

    /// Within one `DUEL_ABI`: every symbol and number stays as it is, every structure keeps its fields where they are, and
    /// frozen ones get no more.
    fn may_become(&self, new: &Self) -> Result<(), Box<dyn Error>> {
        if self.number() != new.number() {
            println!("DUEL_ABI is {:?} now: everything may change", new.number());
            return Ok(());
        }
        let mut broken = Vec::new();
        for name in ["symbols.txt", "numbers.txt"] {
            let new: Vec<&str> = new.lines(name);
            broken.extend(
                self.lines(name)
                    .into_iter()
                    .filter(|line| !new.contains(line))
                    .map(|line| format!("{name}: gone or changed: {line}")),
            );
        }
        for machine in MACHINES {
            let name = layout_name(machine);
            let (old, new) = (self.blocks(&name), new.blocks(&name));
            for (structure, fields) in old {
                let Some(now) = new.get(structure) else {
                    broken.push(format!("{name}: {structure} is gone"));
                    continue;
                };
                let kept = now.len() >= fields.len() && now[..fields.len()] == fields[..];
                let grew = now.len() > fields.len();
                if !kept {
                    broken.push(format!("{name}: {structure}: fields moved or changed"));
                } else if grew && structure.ends_with("frozen") {
                    broken.push(format!("{name}: {structure}, and has grown"));
                }
            }
        }
        if broken.is_empty() {
            return Ok(());
        }
        Err(format!(
            "the ABI is broken; raise DUEL_ABI, or put back what was:\n  {}",
            broken.join("\n  ")
        )
        .into())
    }

    fn lines(&self, name: &str) -> Vec<&str> {
        self.0
            .get(name)
            .map_or(Vec::new(), |text| text.lines().collect())
    }

    /// A layout's structures: their fields, without the whole size, which grows.
    fn blocks(&self, name: &str) -> BTreeMap<&str, Vec<&str>> {
        let mut blocks = BTreeMap::new();
        let mut current = "";
        for line in self.lines(name) {
            if line.starts_with(' ') {
                blocks.entry(current).or_insert_with(Vec::new).push(line);
            } else {
                current = line.split(" of ").next().unwrap_or(line);
            }
        }
        blocks
    }
}

fn names() -> Vec<String> {
    let layouts = MACHINES.into_iter().map(layout_name);
    ["symbols.txt".into(), "numbers.txt".into()]
        .into_iter()
        .chain(layouts)
        .collect()
}

fn layout_name(machine: Machine) -> String {
    format!("layout-{}.txt", machine.name)
}

/// Every structure with its fields' places, as text: `duel_map, frozen of 12 bytes`.
fn layouts(header: &Header, machine: Machine) -> String {
    let mut out = String::new();
    for structure in &header.structures {
        let (fields, bytes, _) = layout(header, structure, machine);
        let kind = if structure.is_sized() {
            "sized"
        } else {
            "frozen"
        };
        let _ = writeln!(out, "{}, {kind} of {bytes} bytes", structure.name);
        for field in fields {
            let _ = writeln!(
                out,
                "  {:>4} +{:<4} {} {}",
                field.at, field.bytes, field.of, field.name
            );
        }
    }
    out
}

/// A structure's fields, its size and its alignment.
fn layout(header: &Header, structure: &Structure, machine: Machine) -> (Vec<Placed>, usize, usize) {
    let (mut at, mut widest) = (0_usize, 1);
    let mut placed = Vec::new();
    for field in &structure.fields {
        let (bytes, alignment) = size(header, &field.of, machine);
        let count: usize = field.lengths.iter().product();
        at = at.next_multiple_of(alignment);
        placed.push(Placed {
            name: field.name.clone(),
            of: shown(field),
            at,
            bytes: bytes * count,
        });
        at += bytes * count;
        widest = widest.max(alignment);
    }
    (placed, at.next_multiple_of(widest), widest)
}

fn shown(field: &Field) -> String {
    let lengths: String = field
        .lengths
        .iter()
        .map(|length| format!("[{length}]"))
        .collect();
    format!("{}{lengths}", field.of)
}

/// A type's size and alignment.
fn size(header: &Header, of: &str, machine: Machine) -> (usize, usize) {
    if of.ends_with('*') {
        return (machine.pointer, machine.pointer);
    }
    let plain = match of {
        "uint8_t" => 1,
        "uint16_t" => 2,
        "int32_t" | "uint32_t" | "float" => 4,
        "int64_t" | "uint64_t" | "double" => 8,
        "size_t" => machine.pointer,
        _ => 0,
    };
    if plain > 0 {
        return (plain, plain);
    }
    if let Some((_, alias)) = header.aliases.iter().find(|(name, _)| name == of) {
        return size(header, alias, machine);
    }
    let structure = header
        .structures
        .iter()
        .find(|structure| structure.name == of);
    let structure =
        structure.unwrap_or_else(|| panic!("the header has a field of unknown type {of:?}"));
    let (_, bytes, alignment) = layout(header, structure, machine);
    (bytes, alignment)
}

/// What Rust must find on each machine, or not compile.
fn asserts(header: &Header) -> String {
    let mut out = String::from(
        "//! Where every field lies, on 64-bit machines and on wasm32. Written by `cargo xtask abi --write`.\n\n\
         use crate::*;\nuse core::mem::offset_of;\n\n\
         /// Fails to compile unless structures and fields are where the committed snapshots say.\n\
         macro_rules! lies {\n    ($($name:ident $bytes:literal { $($field:ident $at:literal)* })*) => {$(\n        \
         const _: () = assert!(size_of::<$name>() == $bytes);\n        \
         $(const _: () = assert!(offset_of!($name, $field) == $at);)*\n    )*};\n}\n",
    );
    for machine in MACHINES {
        let condition = match machine.pointer {
            8 => "#[cfg(target_pointer_width = \"64\")]",
            _ => "#[cfg(target_arch = \"wasm32\")]",
        };
        for part in [None, Some("room"), Some("skirmish")] {
            let of_part = |structure: &&Structure| part_of(&structure.name) == part;
            let structures: Vec<&Structure> = header.structures.iter().filter(of_part).collect();
            let condition = match part {
                None => condition.to_owned(),
                Some(part) => {
                    let inner = condition
                        .trim_start_matches("#[cfg(")
                        .trim_end_matches(")]");
                    format!("#[cfg(all({inner}, feature = \"{part}\"))]")
                }
            };
            let _ = writeln!(out, "\n{condition}\nlies! {{");
            for structure in structures {
                let (fields, bytes, _) = layout(header, structure, machine);
                let places: String = fields
                    .iter()
                    .map(|field| format!(" {} {}", field.name, field.at))
                    .collect();
                let _ = writeln!(out, "    {} {bytes} {{{places} }}", structure.name);
            }
            out.push_str("}\n");
        }
    }
    out
}

/// Which optional part of the library has a structure.
fn part_of(name: &str) -> Option<&'static str> {
    match name {
        "duel_room_config" => Some("room"),
        _ if name.starts_with("duel_skirmish") || name.starts_with("duel_replay") => {
            Some("skirmish")
        }
        _ => None,
    }
}

/// Asks the C compiler here where it puts everything.
fn check_compiler(header: &Header) -> Result<(), Box<dyn Error>> {
    if !cfg!(all(target_pointer_width = "64", unix)) {
        println!("SKIPPED: the layouts are compared with a C compiler's on 64-bit Unix only");
        return Ok(());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .ok_or("xtask lies in the workspace")?;
    let mut program = String::from("#include \"duel.h\"\n");
    for structure in &header.structures {
        let (fields, bytes, _) = layout(header, structure, MACHINES[0]);
        let name = &structure.name;
        let _ = writeln!(
            program,
            "_Static_assert(sizeof({name}) == {bytes}, \"{name}\");"
        );
        for field in fields {
            let _ = writeln!(
                program,
                "_Static_assert(offsetof({name}, {0}) == {1}, \"{name}.{0}\");",
                field.name, field.at
            );
        }
    }
    let folder = std::env::temp_dir().join(format!("duel-abi-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let source = folder.join("layout.c");
    fs::write(&source, program)?;
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let output = Command::new(&compiler)
        .args(["-std=c11", "-c", "-o"])
        .arg(folder.join("layout.o"))
        .arg(&source)
        .arg(format!("-I{}", root.join(INCLUDE).display()))
        .output();
    let _ = fs::remove_dir_all(&folder);
    let output = output.map_err(|why| format!("{}: {why}", compiler.to_string_lossy()))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "the C compiler lays something out otherwise:\n{}",
        String::from_utf8_lossy(&output.stderr)
    )
    .into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "\
#define DUEL_ABI 1
#define DUEL_OK 0
typedef struct duel_sized {
  uint32_t struct_size;
  int32_t first;
} duel_sized;
typedef struct duel_fixed {
  int32_t only;
} duel_fixed;
int32_t duel_do(duel_sized *what);
int32_t duel_undo(duel_fixed *what);
";

    /// What is said when that part of the header becomes another; `None` if it may.
    fn refusal(part: &str, becomes: &str) -> Option<String> {
        assert!(HEADER.contains(part), "{part:?}");
        let of = |text: &str| Snapshots::of(&Header::parse(text));
        let after = of(&HEADER.replace(part, becomes));
        let done = of(HEADER).may_become(&after);
        done.err().map(|why| why.to_string())
    }

    fn is_refused(part: &str, becomes: &str, says: &str) {
        let why = refusal(part, becomes).expect("that breaks the promise");
        assert!(why.contains(says), "{why}");
    }

    #[test]
    fn what_is_appended_is_no_break() {
        for (part, becomes) in [
            ("first;", "first;\n  uint64_t second;"),
            (
                "#define DUEL_OK 0",
                "#define DUEL_OK 0\n#define DUEL_EMPTY 1",
            ),
            (
                "int32_t duel_do",
                "int32_t duel_more(void);\nint32_t duel_do",
            ),
        ] {
            assert_eq!(refusal(part, becomes), None);
        }
    }

    #[test]
    fn what_goes_moves_or_changes_is_a_break() {
        let undo = "int32_t duel_undo(duel_fixed *what);\n";
        is_refused(undo, "", "gone or changed: duel_undo");
        is_refused(
            "duel_do(duel_sized *what)",
            "duel_do(void)",
            "gone or changed: duel_do",
        );
        is_refused("DUEL_OK 0", "DUEL_OK 2", "gone or changed: DUEL_OK");
        is_refused(
            "  int32_t first;\n",
            "",
            "duel_sized, sized: fields moved or changed",
        );
        let moved = "uint32_t before;\n  int32_t first;";
        is_refused(
            "int32_t first;",
            moved,
            "duel_sized, sized: fields moved or changed",
        );
        is_refused(
            "int32_t first;",
            "float first;",
            "duel_sized, sized: fields moved or changed",
        );
        let grown = "only;\n  int32_t more;";
        is_refused("only;", grown, "duel_fixed, frozen, and has grown");
    }

    #[test]
    fn a_new_abi_may_change_everything() {
        let changed = "#define DUEL_ABI 2\n#define DUEL_OK 5";
        assert_eq!(
            refusal("#define DUEL_ABI 1\n#define DUEL_OK 0", changed),
            None
        );
    }
}

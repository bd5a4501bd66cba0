//! Writes a C program that calls every function of the header wrongly: with NULL for each pointer, with handles of
//! another kind, freed ones and any number at all, with structures too small and too new, with numbers out of range. None
//! may do harm, and what can be told must be. Numbers that are no handle lead to memory that may not be touched.

use super::header::{Function, Header, Parameter};
use std::fmt::Write as _;

/// Parameters that say how much memory a pointer has: lying about those is no misuse that can be told.
const LENGTHS: [&str; 7] = [
    "frames",
    "count",
    "capacity",
    "length",
    "bytes",
    "samples",
    "why_bytes",
];

pub fn program(header: &Header) -> String {
    let mut program = String::from(PREAMBLE);
    let mut body = String::new();
    for function in &header.functions {
        Calls {
            header,
            function,
            out: &mut body,
        }
        .write();
    }
    program += &body;
    program += "static void misuse_all(void)\n{\n";
    for function in header
        .functions
        .iter()
        .filter(|function| is_misused(function))
    {
        let _ = writeln!(program, "    misuse_{}();", function.name);
    }
    program += "}\n";
    program += POSTAMBLE;
    program
}

/// Functions without parameters cannot be called wrongly; the panic hook is global, and would outlive its misuse.
fn is_misused(function: &Function) -> bool {
    !function.parameters.is_empty() && function.name != "duel_set_panic_hook"
}

struct Calls<'a> {
    header: &'a Header,
    function: &'a Function,
    out: &'a mut String,
}

impl Calls<'_> {
    fn write(&mut self) {
        let parameters = &self.function.parameters;
        if !is_misused(self.function) {
            return;
        }
        let _ = writeln!(
            self.out,
            "static void misuse_{}(void)\n{{",
            self.function.name
        );
        let frees = self.function.name.ends_with("_free") || self.function.name == "duel_dealloc";
        for (at, parameter) in parameters.clone().iter().enumerate() {
            let is_pointer = parameter.of.ends_with('*');
            let handle = self.handle(parameter);
            if is_pointer && !(frees && handle.is_none()) {
                let expected = match (&handle, at) {
                    (Some(_), 0) if frees => "IS(DUEL_OK)",
                    (Some(_), 0) => "IS(DUEL_NULL)",
                    _ => "KNOWN",
                };
                self.call(at, "NULL", expected);
            }
            if let Some(handle) = handle {
                let other = if handle == "duel_guard" {
                    "duel_rig"
                } else {
                    "duel_guard"
                };
                let expected = if at == 0 {
                    "IS(DUEL_BAD_HANDLE)"
                } else {
                    "KNOWN"
                };
                for wrong in [
                    format!("live_{other}"),
                    format!("freed_{handle}"),
                    format!("freed_{other}"),
                    format!("near(live_{handle})"),
                    "forbidden()".into(),
                    "odd()".into(),
                    "anything()".into(),
                    "own_memory".into(),
                ] {
                    self.call(at, &format!("(void *){wrong}"), expected);
                }
            }
            if let Some(sized) = self.sized(parameter) {
                self.call(at, "small()", "FAILS");
                let newer = if parameter.of.starts_with("const") {
                    "FAILS"
                } else {
                    "KNOWN"
                };
                self.call(at, &format!("newer(sizeof({sized}))"), newer);
                self.call(at, "absurd()", "FAILS");
            }
            let is_number = !is_pointer && !LENGTHS.contains(&parameter.name.as_str()) && !frees;
            if is_number {
                for number in ["-3", "99", "0x7FFFFFFF", "(-0x7FFFFFFF - 1)"] {
                    self.call(at, &format!("({})({number})", parameter.of), "KNOWN");
                }
            }
        }
        self.out.push_str("}\n\n");
    }

    /// A call whose parameter `wrong` is `argument`, all others being sound.
    fn call(&mut self, wrong: usize, argument: &str, expected: &str) {
        let mut arguments = Vec::new();
        for (at, parameter) in self.function.parameters.iter().enumerate() {
            arguments.push(if at == wrong {
                argument.to_owned()
            } else {
                self.sound(at, parameter)
            });
        }
        let arguments = arguments.join(", ");
        let name = &self.function.name;
        let _ = writeln!(self.out, "    ready();");
        let _ = match self.function.returns.as_str() {
            "duel_status" => writeln!(self.out, "    {expected}({name}({arguments}));"),
            "const char *" => writeln!(self.out, "    TEXT({name}({arguments}));"),
            _ => writeln!(self.out, "    VALUE({name}({arguments}));"),
        };
        for (at, parameter) in self.function.parameters.iter().enumerate() {
            // What was made is freed: the next call's would leak it.
            let made = parameter
                .of
                .strip_suffix(" **")
                .filter(|kind| self.is_handle(kind));
            if let Some(kind) = made
                && at != wrong
            {
                let _ = writeln!(self.out, "    {kind}_free(*({kind} **)room({at}));");
            }
        }
    }

    fn sound(&self, at: usize, parameter: &Parameter) -> String {
        if let Some(handle) = self.handle(parameter) {
            return if self.function.name.ends_with("_free") {
                "NULL".into()
            } else {
                format!("live_{handle}")
            };
        }
        if let Some(sized) = self.sized(parameter) {
            return format!("sized({at}, sizeof({sized}))");
        }
        if parameter.of.ends_with('*') {
            return format!("room({at})");
        }
        match parameter.name.as_str() {
            "capacity" | "bytes" | "why_bytes" => "512".into(),
            "now_us" | "until_us" => "1000".into(),
            _ => "1".into(),
        }
    }

    fn is_handle(&self, kind: &str) -> bool {
        self.header.handles.iter().any(|handle| handle == kind)
    }

    fn handle(&self, parameter: &Parameter) -> Option<String> {
        let kind = parameter.of.strip_suffix(" *")?;
        self.is_handle(kind).then(|| kind.to_owned())
    }

    fn sized(&self, parameter: &Parameter) -> Option<String> {
        let of = parameter.of.strip_prefix("const ").unwrap_or(&parameter.of);
        let name = of.strip_suffix(" *")?;
        let found = self.header.structures.iter().find(|one| one.name == name)?;
        found.is_sized().then(|| found.name.clone())
    }
}

/// Live and freed handles of every kind, rooms for out-parameters, and what a call may come to.
const PREAMBLE: &str = r#"#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "check.h"

#include <stdint.h>
#include <sys/mman.h>

static long calls;
/* Memory of one's own, aligned as a handle's might be. */
static double own_memory[64];
static unsigned char *guarded;

/* Memory that may be neither read nor written. */
static void *forbidden(void) { return guarded; }
static void *odd(void) { return guarded + 1 + calls % 4094; }
static void *anything(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (void *)(uintptr_t)((state >> 8) | 1);
}
/* One bit beside a live handle: another slot, another generation, or no mark. */
static void *near(const void *handle)
{
    static unsigned bit;
    return (void *)((uintptr_t)handle ^ ((uintptr_t)1 << bit++ % 31));
}

static duel_link *live_duel_link, *freed_duel_link;
static duel_pump *live_duel_pump, *freed_duel_pump;
static duel_guard *live_duel_guard, *freed_duel_guard;
static duel_rig *live_duel_rig, *freed_duel_rig;
static duel_advice *live_duel_advice, *freed_duel_advice;
static duel_room *live_duel_room, *freed_duel_room;
static duel_session *live_duel_session, *freed_duel_session;
/* Room for 512 of the largest thing there is. */
static union { double align; unsigned char bytes[40960]; } rooms[10], wrong;

static void *room(int at) { return rooms[at].bytes; }

static void ready(void)
{
    memset(rooms, 0, sizeof rooms);
    memset(&wrong, 0, sizeof wrong);
    calls++;
}

static void *of_size(void *at, uint32_t size)
{
    memcpy(at, &size, sizeof size);
    return at;
}

static void *sized(int at, size_t size) { return of_size(rooms[at].bytes, (uint32_t)size); }
/* Smaller than any structure ever was. */
static void *small(void) { return of_size(wrong.bytes, sizeof(uint32_t)); }
static void *absurd(void) { return of_size(wrong.bytes, 0xFFFFFFF0u); }
static void *newer(size_t size)
{
    wrong.bytes[size + 3] = 1;
    return of_size(wrong.bytes, (uint32_t)size + 8);
}

static int is_known(duel_status status) { return strcmp(duel_status_name(status), "DUEL_UNKNOWN") != 0; }

#define IS(expected) EXPECT_IS_##expected
#define EXPECT_IS_DUEL_OK(call) EXPECT(DUEL_OK, call)
#define EXPECT_IS_DUEL_NULL(call) EXPECT(DUEL_NULL, call)
#define EXPECT_IS_DUEL_BAD_HANDLE(call) EXPECT(DUEL_BAD_HANDLE, call)
#define KNOWN(call)                                                              \
    do {                                                                         \
        duel_status status = (call);                                             \
        CHECK(is_known(status) && status != DUEL_PANICKED);                      \
    } while (0)
#define FAILS(call)                                                              \
    do {                                                                         \
        duel_status status = (call);                                             \
        CHECK(is_known(status) && status < 0 && status != DUEL_PANICKED);        \
    } while (0)
#define TEXT(call)                                                               \
    do {                                                                         \
        const char *text = (call);                                               \
        CHECK(text && strlen(text) < DUEL_TEXT_BYTES);                           \
    } while (0)
#define VALUE(call) ((void)(call))

/* Nothing was written through what is no handle. */
static void untouched(void)
{
    size_t at;
    for (at = 0; at < sizeof own_memory / sizeof *own_memory; at++)
        CHECK(own_memory[at] == 0);
}

static void make(int freed)
{
    SIZED(duel_link_config, link);
    SIZED(duel_room_config, room_config);
    SIZED(duel_practice_config, air);
    SIZED(duel_session_config, session);
    SIZED(duel_catalogue, catalogue);
    duel_link *links[2];
    OK(duel_link_new(&link, NULL, 0, freed ? &freed_duel_link : &live_duel_link,
                     freed ? &freed_duel_pump : &live_duel_pump));
    OK(duel_guard_new(0, 48000, 2, NULL, 0, freed ? &freed_duel_guard : &live_duel_guard));
    OK(duel_rig_new(0, 0, 0, 0, 0, NULL, 0, freed ? &freed_duel_rig : &live_duel_rig));
    OK(duel_advice_new(&link, NULL, 0, freed ? &freed_duel_advice : &live_duel_advice));
    OK(duel_room_new(&room_config, NULL, 0, freed ? &freed_duel_room : &live_duel_room));
    OK(duel_air_new(&air, NULL, 0, &links[0], &links[1]));
    OK(duel_session_new(&session, &catalogue, links[0], NULL, 0, freed ? &freed_duel_session : &live_duel_session));
    OK(duel_link_free(links[0]));
    OK(duel_link_free(links[1]));
}

static void drop(int freed)
{
    OK(duel_link_free(freed ? freed_duel_link : live_duel_link));
    OK(duel_pump_free(freed ? freed_duel_pump : live_duel_pump));
    OK(duel_guard_free(freed ? freed_duel_guard : live_duel_guard));
    OK(duel_rig_free(freed ? freed_duel_rig : live_duel_rig));
    OK(duel_advice_free(freed ? freed_duel_advice : live_duel_advice));
    OK(duel_room_free(freed ? freed_duel_room : live_duel_room));
    OK(duel_session_free(freed ? freed_duel_session : live_duel_session));
}

"#;

const POSTAMBLE: &str = r#"
int main(void)
{
    guarded = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(guarded != MAP_FAILED);
    /* What is freed first: the live ones take its place. */
    make(1);
    drop(1);
    make(0);
    misuse_all();
    untouched();
    drop(0);
    printf("%ld calls, none did harm\n", calls);
    return 0;
}
"#;

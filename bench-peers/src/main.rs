//! Our sessions beside other libraries', on the same simulated internet, with the same game and the same virtual time.

mod clock;
mod other_fortress;
mod other_ggrs;
mod table;

// What is ours, and what is the same for all, lies with the console's bench: there is one of each.
#[path = "../../examples/console/src/bench/net/model.rs"]
#[allow(dead_code)]
mod model;
#[path = "../../examples/console/src/bench/net/ours.rs"]
mod ours;
#[path = "../../examples/console/src/bench/net/post.rs"]
#[allow(dead_code)]
mod post;
#[path = "../../examples/console/src/bench/net/toy.rs"]
mod toy;

fn main() {
    table::print(std::env::args().nth(1).as_deref() == Some("--quick"));
}

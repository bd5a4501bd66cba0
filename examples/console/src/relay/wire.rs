//! The byte stream under a relay: a socket, or standard input and output. Blocks nobody but its own threads, and a writer
//! whose reader is stuck for a few seconds.

use super::RelayWire;
use std::{
    error::Error,
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc::{
        Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel,
    },
    thread,
    time::{Duration, Instant},
};

/// Pieces read ahead; an end that sends more waits.
pub const PIECES_MAX: usize = 64;
/// The other end may be started this long after this one.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// Between two tries to connect.
const CONNECT_AGAIN: Duration = Duration::from_millis(100);
/// An end that takes nothing for this long is stuck.
const WRITE_WITHIN: Duration = Duration::from_secs(10);

/// Between two looks whether a full pipe has room.
const WRITE_AGAIN: Duration = Duration::from_millis(10);

/// A connected stream.
pub struct Wire {
    pieces: Receiver<io::Result<Vec<u8>>>,
    out: Box<dyn Write>,
    /// What a wait was ended by.
    ahead: Option<Vec<u8>>,
    hung_up: bool,
}

impl Wire {
    /// Opens the stream that the command line names. `listening` hears the address once it is known.
    pub fn open(wire: &RelayWire, listening: impl FnOnce(&str)) -> Result<Self, Box<dyn Error>> {
        match (&wire.listen, &wire.connect) {
            (Some(address), _) => {
                let listener = TcpListener::bind(address.as_str())
                    .map_err(|why| format!("--listen {address}: {why}"))?;
                listening(&listener.local_addr()?.to_string());
                Self::over(listener.accept()?.0)
            }
            (None, Some(address)) => {
                let stream = connect(address).map_err(|why| {
                    let advice = match why.kind() {
                        io::ErrorKind::InvalidInput => "an address is like 127.0.0.1:4000",
                        _ => "the other end has to --listen there first",
                    };
                    format!("--connect {address}: {why}: {advice}")
                })?;
                Self::over(stream)
            }
            (None, None) => Ok(Self::new(io::stdin(), Pipe::new(io::stdout()))),
        }
    }

    fn over(stream: TcpStream) -> Result<Self, Box<dyn Error>> {
        // Forty bytes every tenth of a second: never worth waiting for more of them.
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_WITHIN))?;
        Ok(Self::new(stream.try_clone()?, stream))
    }

    fn new(from: impl Read + Send + 'static, to: impl Write + 'static) -> Self {
        let (sender, pieces) = sync_channel(PIECES_MAX);
        thread::spawn(move || read(from, &sender));
        Self {
            pieces,
            out: Box::new(to),
            ahead: None,
            hung_up: false,
        }
    }

    /// The next piece that has arrived; `None` if nothing has, or the other end has hung up.
    pub fn next_piece(&mut self) -> io::Result<Option<Vec<u8>>> {
        if let Some(piece) = self.ahead.take() {
            return Ok(Some(piece));
        }
        match self.pieces.try_recv() {
            Ok(piece) => piece.map(Some),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => {
                self.hung_up = true;
                Ok(None)
            }
        }
    }

    /// The other end has hung up, and everything it sent has been read.
    pub const fn has_hung_up(&self) -> bool {
        self.hung_up
    }

    /// Returns after `time`, or once something has arrived.
    pub fn wait(&mut self, time: Duration) -> io::Result<()> {
        if self.ahead.is_some() || self.hung_up {
            return Ok(());
        }
        match self.pieces.recv_timeout(time) {
            Ok(piece) => self.ahead = Some(piece?),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.hung_up = true,
        }
        Ok(())
    }

    /// Writes a message out at once.
    pub fn write(&mut self, message: &[u8]) -> io::Result<()> {
        let written = self.out.write_all(message).and_then(|()| self.out.flush());
        written.map_err(|why| match why.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                let seconds = WRITE_WITHIN.as_secs();
                io::Error::other(format!(
                    "the other end has read nothing for {seconds} s: see whether it still runs there"
                ))
            }
            _ => why,
        })
    }
}

/// A pipe whose reader may be stuck, which a socket has a timeout for: written by a thread of its own.
struct Pipe {
    pieces: SyncSender<Vec<u8>>,
}

impl Pipe {
    fn new(mut to: impl Write + Send + 'static) -> Self {
        let (pieces, written) = sync_channel::<Vec<u8>>(PIECES_MAX);
        thread::spawn(move || {
            for piece in written {
                if to.write_all(&piece).and_then(|()| to.flush()).is_err() {
                    return;
                }
            }
        });
        Self { pieces }
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let started = Instant::now();
        let mut piece = bytes.to_vec();
        loop {
            piece = match self.pieces.try_send(piece) {
                Ok(()) => return Ok(bytes.len()),
                Err(TrySendError::Disconnected(_)) => return Err(io::ErrorKind::BrokenPipe.into()),
                Err(TrySendError::Full(_)) if started.elapsed() >= WRITE_WITHIN => {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                Err(TrySendError::Full(piece)) => piece,
            };
            thread::sleep(WRITE_AGAIN);
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn read(mut from: impl Read, pieces: &SyncSender<io::Result<Vec<u8>>>) {
    let mut buffer = [0; 1024];
    loop {
        let piece = match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => Ok(buffer[..count].to_vec()),
            Err(why) if why.kind() == io::ErrorKind::Interrupted => continue,
            // The other end closed before it had read everything: as good as a hang-up.
            Err(why) if why.kind() == io::ErrorKind::ConnectionReset => return,
            Err(why) => Err(why),
        };
        let failed = piece.is_err();
        if pieces.send(piece).is_err() || failed {
            return;
        }
    }
}

fn connect(address: &str) -> io::Result<TcpStream> {
    let started = Instant::now();
    loop {
        match TcpStream::connect(address) {
            Err(why)
                if why.kind() == io::ErrorKind::ConnectionRefused
                    && started.elapsed() < CONNECT_WITHIN =>
            {
                thread::sleep(CONNECT_AGAIN);
            }
            result => return result,
        }
    }
}

//! Messages on a stream socket: JSON terminated by a NUL, with file descriptors.

use super::json::Json;
use super::system;
use std::io::{self, Write};
use std::os::unix::io::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

pub const MESSAGE_BYTES: usize = 1 << 20;
const PATIENCE: Duration = Duration::from_secs(30);

/// One connection.
pub struct Wire {
    socket: UnixStream,
    received: Vec<u8>,
    start: usize,
    searched: usize,
    descriptors: Vec<OwnedFd>,
}

/// Why a connection ends: the peer closed it, or broke a rule.
#[derive(Debug)]
pub struct Ended;

impl From<io::Error> for Ended {
    fn from(_: io::Error) -> Self {
        Ended
    }
}

impl Wire {
    pub fn new(socket: UnixStream) -> Result<Self, Ended> {
        socket.set_write_timeout(Some(PATIENCE))?;
        Ok(Self { socket, received: Vec::new(), start: 0, searched: 0, descriptors: Vec::new() })
    }

    /// Waits for the next message without a limit; once begun, a message must be complete within 30 seconds.
    pub fn receive(&mut self) -> Result<Vec<u8>, Ended> {
        let mut deadline = None;
        loop {
            let end = self.received[self.searched..].iter().position(|byte| *byte == 0);
            let length = end.map_or(self.received.len(), |end| self.searched + end) - self.start;
            if length > MESSAGE_BYTES {
                return Err(Ended);
            }
            if end.is_some() {
                let message = self.received[self.start..self.start + length].to_vec();
                self.start += length + 1;
                self.searched = self.start;
                return Ok(message);
            }
            self.received.drain(..self.start);
            self.start = 0;
            self.searched = self.received.len();
            if self.searched > 0 && deadline.is_none() {
                deadline = Some(Instant::now() + PATIENCE);
            }
            self.receive_some(deadline)?;
        }
    }

    fn receive_some(&mut self, deadline: Option<Instant>) -> Result<(), Ended> {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return Err(Ended);
        }
        self.socket.set_read_timeout(left)?;
        let begin = self.received.len();
        self.received.resize(begin + 16_384, 0);
        let result = system::receive(self.socket.as_fd(), &mut self.received[begin..], &mut self.descriptors);
        let count = result.as_ref().map_or(0, |received| received.0);
        self.received.truncate(begin + count);
        match result {
            Ok((1.., true)) if self.descriptors.len() <= system::DESCRIPTORS => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            _ => Err(Ended),
        }
    }

    /// Takes the descriptors of the last received message, which must be exactly `count`.
    pub fn take_descriptors(&mut self, count: usize) -> Result<Vec<OwnedFd>, Ended> {
        // If nothing follows it in the buffer, all received descriptors belong to this message.
        let is_last = self.start == self.received.len();
        if count > self.descriptors.len() || (is_last && count != self.descriptors.len()) {
            return Err(Ended);
        }
        Ok(self.descriptors.drain(..count).collect())
    }

    /// Closes the descriptors of a message that was not understood.
    pub fn drop_descriptors(&mut self) {
        self.descriptors.clear();
    }

    pub fn send(&mut self, message: &Json) -> Result<(), Ended> {
        let mut text = String::new();
        message.write(&mut text);
        text.push('\0');
        Ok(self.socket.write_all(text.as_bytes())?)
    }

    pub fn is_abandoned(&self) -> bool {
        system::is_abandoned(self.socket.as_fd())
    }

    #[cfg(test)]
    pub fn socket(&self) -> &UnixStream {
        &self.socket
    }
}

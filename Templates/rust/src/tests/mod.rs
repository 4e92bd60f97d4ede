//! Tests of the library, called by a host at the other end of a socket pair.

mod documents;
mod host;
mod hostile;
mod json;

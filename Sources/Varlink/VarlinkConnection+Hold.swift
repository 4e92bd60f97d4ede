extension VarlinkConnection {
    /// Sends a complete `more` call (JSON without a NUL) and blocks until a reply says that the call is held. It is
    /// then held until ``letGo(sending:)``, another call on this connection, or ``close()``.
    ///
    /// Closing the connection from another thread ends the wait with `closed`.
    ///
    /// - Parameter step: reads each reply. If it throws a `VarlinkCallError`, that is the last reply and the connection
    ///   stays usable; any other error closes it.
    /// - Throws: `VarlinkError`, or what `step` throws.
    package func holdBlocking<Value: Sendable>(
        _ message: [UInt8], _ step: (UnsafeBufferPointer<UInt8>) throws -> HoldStep<Value>
    ) throws -> (Value, DescriptorList) {
        var terminated = message
        terminated.append(0)
        try ClientMessage.check(terminated, DescriptorList())
        let socket = try channel.begin(deadline: nil)
        do {
            try channel.send(terminated, descriptors: DescriptorList(), socket: socket, deadline: nil)
            while true {
                let (made, descriptors) = try channel.receive(socket: socket, deadline: nil) { bytes in
                    let made = try step(bytes)
                    if case .holds(_, let count) = made { return (made, count) }
                    return (made, 0)
                }
                guard case .holds(let value, _) = made else { continue }
                channel.owes(1)
                channel.end(isUsable: true)
                return (value, descriptors)
            }
        } catch {
            let isUsable = error is VarlinkCallError || (error as? VarlinkError)?.code == .unavailable
            channel.end(isUsable: isUsable)
            throw error
        }
    }

    /// Sends the next call (JSON without a NUL) on a connection that holds a call, which releases that call. The reply
    /// is not awaited; it is read before the next use. Never blocks: if the message does not fit, the connection is
    /// closed, which releases the call as well.
    ///
    /// - Throws: `VarlinkError` with the code `closed` when the connection had already ended, and the held call with
    ///   it.
    package func letGo(sending message: [UInt8]) throws(VarlinkError) {
        var terminated = message
        terminated.append(0)
        try ClientMessage.check(terminated, DescriptorList())
        let socket = try channel.begin(deadline: nil)
        do throws(VarlinkError) {
            let sent = try SocketPoll.sendSome(terminated, from: 0, descriptors: DescriptorList(), to: socket)
            if sent == terminated.count { channel.owes(1) }
            channel.end(isUsable: sent == terminated.count)
        } catch {
            channel.end(isUsable: false)
            throw error
        }
    }
}

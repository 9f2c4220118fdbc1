/// The limits of connections. A slow or silent client gives its connection back after these times.
package struct ConnectionLimits: Sendable {
    /// How long the head of a request may take after its first byte, and a TLS handshake, in seconds.
    package var head: Int64 = 30
    /// How long a request's body may pause, in seconds.
    package var body: Int64 = 60
    /// How long a connection may stay without a request, and how long a client may not read a response, in seconds.
    package var idle: Int64 = 300
    /// The most connections of the process; further ones are refused. `nil` for as many as there are descriptors, where further ones wait.
    package var connections: Int?

    /// The bytes of responses that clients have not read, for all connections together.
    package var responseMemory = 32 << 20

    package init() {}
}

import Calls
import Cloud
import ConsoleFace
import ControlFace
import Logging
import ObjectStore

/// The services that the sandboxes of a process share.
struct SharedServices: Sendable {
    let settings: Settings
    /// Sends requests to other servers.
    let network: NetworkClient
    /// The CA certificate that clients should trust, in PEM; `nil` without TLS.
    let authority: String?
    /// The threads of all databases.
    let threads: DatabaseThreads
    let logger: Logger
    /// The open connections.
    let connections = Connections()
    /// The memory of unread responses.
    let memory: ResponseMemory
    /// The unread responses that were built as a whole.
    let documents: UnreadDocuments
    /// Whether the process is being drained.
    let drain = Drain()
    /// The key pairs that were made ahead.
    let keys = KeyStock()
    /// The counts of answered requests.
    let requests = RequestMetrics()
    /// The port that serves the web console only.
    let consolePort = ConsolePort()
    /// The attempts to sign in to the web console.
    let consoleSignIn: SignInAttempts
    /// The tokens of the web console's pages.
    let console = ConsoleTokens()
}

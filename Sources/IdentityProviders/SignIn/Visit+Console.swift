import Calls
import Federation

extension Visit {
    /// Returns whether a redirect URI is that of the web console, which counts as registered for every client while the console is on.
    func isConsoleCallback(_ redirectURI: String) -> Bool { call.names.isConsoleCallback(redirectURI, at: call.authority) }
}

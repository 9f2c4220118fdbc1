import Calls
import Federation

extension Visit {
    /// Returns whether a redirect URI is that of the web console, which counts as registered for every client while the console is on.
    /// - Parameter state: the `state` of the request, or its `RelayState`.
    func isConsoleCallback(_ redirectURI: String, state: String?) -> Bool {
        call.names.isConsoleCallback(redirectURI, at: call.authority, state: state)
    }
}

import Calls
import Federation
import HTTPTypes
import WireFormats

/// The page that asks for the control token.
struct SignInPage {
    /// The error of the last attempt.
    var fault: String?
    var status = HTTPResponse.Status.ok

    var page: ConsolePage {
        let alert: HTML = fault.map { "<p class=\"error\" id=\"fault\" role=\"alert\">\($0)</p>\n" } ?? ""
        let marking: HTML = fault == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"fault\""
        var page = ConsolePage(
            title: "Sign in",
            content: """
                <section class="card narrow">
                <h1>Sign in</h1>
                <p>Students: open your own link again.</p>
                <p class="soft">This server was started with a control token. Enter it, or open the URL that <code>virga serve</code> printed.</p>
                \(alert)<form method="post" action="\(Visit.path("/sign-in"))">
                <label for="token">Control token</label>
                <input id="token" name="token" type="password" autocomplete="current-password" required autofocus\(marking)>
                <p><button class="primary">Sign in</button></p>
                </form>
                </section>
                """)
        page.status = status
        return page
    }
}

/// The page at hosts where a document in a bucket could read the console.
struct UnsafePlacePage {
    let host: String
    let ownPort: Int?
    /// The URL of the first listener.
    let endpoint: String

    private var loopback: String { "http://127.0.0.1\(Origin(url: endpoint)?.port.map { ":\($0)" } ?? "")/_virga/ui/" }

    var page: ConsolePage {
        let way: HTML =
            if let ownPort {
                """
                <p>Open <a href="http://\(host):\(String(ownPort))/_virga/ui/">http://\(host):\(String(ownPort))/_virga/ui/</a>, \
                the console's own port.</p>
                """
            } else {
                """
                <p>Do one of these:</p>
                <ul>
                <li>Open it at a loopback address: <code>\(loopback)</code> on the machine of the server.</li>
                <li>Start the server with a port for the console only: <code>virga serve --console-port 4567</code>.</li>
                <li>Start the server with <code>--tls-port</code>, and open the console by HTTPS.</li>
                </ul>
                """
            }
        var page = ConsolePage(
            title: "Not at this address",
            content: """
                <section class="card narrow">
                <h1>The console is not shown at this address</h1>
                <p>At this address the console could be used by documents in buckets, so it is off. \
                Over plain HTTP, browsers do not tell the server of <strong>\(Parts.value(host))</strong> what a request is for, \
                or a bucket can have this name. \
                A document in a bucket has the same origin, and could use the console.</p>
                \(way)
                </section>
                """)
        page.status = .forbidden
        return page
    }
}

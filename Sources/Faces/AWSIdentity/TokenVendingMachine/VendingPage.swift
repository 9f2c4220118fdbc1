import Calls
import Cloud
import Directory
import WireFormats

/// The pages of the machines. Their texts are the original ones, their design is not.
enum VendingPage {
    static func home(of machine: VendingMachine) -> WebPage {
        let kind = machine.kind == .identity ? "Identity" : "Anonymous"
        return page(
            "Welcome", machine.app,
            """
            <h1>Congratulations!</h1>
            <p class="message">Token Vending Machine is running with <b>\(kind)</b> registration.</p>
            """)
    }

    static func registration(at machine: VendingMachine) -> WebPage {
        page(
            "Register", machine.app,
            """
            <h1>Register</h1>
            <form id="register" name="register" action="registeruser" method="post">
            <label for="username">Username</label>
            <input id="username" type="text" name="username" autocomplete="username" required>
            <label for="password">Password</label>
            <input id="password" type="password" name="password" autocomplete="new-password" required>
            <button class="primary" type="submit">Register</button>
            </form>
            """)
    }

    static func registered(at machine: VendingMachine) -> WebPage {
        page("Success", machine.app, "<h1>Congratulations!</h1>\n<p class=\"message\">You have registered successfully.</p>")
    }

    static func registrationFailure(at machine: VendingMachine) -> WebPage {
        page(
            "Error", machine.app,
            """
            <h1>Error!</h1>
            <p class="message">There was an error with your Username/Password combination. Please try again.</p>
            """)
    }

    static func missingParameters(of machine: VendingMachine) -> WebPage {
        page("Error", machine.app, "<h1>Error!</h1>\n<p class=\"message\">A username and a password are required.</p>")
    }

    static func missing(in app: String) -> WebPage {
        page("Not found", app, "<h1>HTTP Status 404</h1>\n<p class=\"message\">The token vending machine has nothing here.</p>")
    }

    static func unsupported(_ method: String, of machine: VendingMachine) -> WebPage {
        page(
            "Method not allowed", machine.app,
            "<h1>HTTP Status 405</h1>\n<p class=\"message\">HTTP method \(method) is not supported by this URL</p>")
    }

    private static func page(_ title: String, _ app: String, _ content: HTML) -> WebPage {
        WebPage(title: title, owner: app, theme: "", content: content)
    }
}

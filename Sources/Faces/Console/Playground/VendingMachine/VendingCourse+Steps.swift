import Calls
import WireFormats

extension VendingCourse {
    func steps(of page: WalkPage) async throws -> HTML {
        let walk = page.walk
        let outcome: HTML =
            if let failed = walk.login.last, !failed.isSuccess {
                page.refusal(failed)
            } else if walk.token != nil {
                """
                <p><strong class="good">✓ \(Parts.value(walk.person ?? ""))</strong> has a key on this device.</p>
                \(Parts.secret(key, id: "device-key", label: "the key"))
                """
            } else if walk.login.last != nil {
                "<p><strong class=\"good\">✓ Registered.</strong> Now log in.</p>"
            } else {
                "<p>Not logged in yet.</p>"
            }
        return """
            <section class="step" id="step-1" aria-labelledby="step-1-title">
            <h2 id="step-1-title"><span aria-hidden="true">1</span> \(machine == .identity ? "Register and log in" : "Register the device")</h2>
            <p>\(explanation)</p>
            \(outcome)
            \(walk.login.enumerated().map { page.exchange($1, id: "login-\($0)") })
            \(form(page))
            </section>
            \(tokenStep(page))
            \(FileStep(page: page).html)
            """
    }

    private var explanation: HTML {
        machine == .identity
            ? """
            The app hashes the password with its own name and the machine's address, and signs the time with the hash. The machine answers with a \
            key, encrypted with the same hash.
            """
            : "The device invents an identifier and a key, and registers both. There is no user."
    }

    private func form(_ page: WalkPage) -> HTML {
        guard machine == .identity else {
            return """
                <form method="post" action="\(page.action("device"))">\(page.visit.formToken)<button class="primary">Register the device</button></form>

                """
        }
        return """
            <form method="post" action="\(page.action("login"))">\(page.visit.formToken)<div class="fields">
            \(AssumeStep.field("person", label: "User name", value: user.name))\(AssumeStep.field("password", label: "Password", value: user.password))</div>
            <p class="row"><button class="primary">Log in</button></p></form>
            <details class="fold"><summary>Register another user</summary>
            <form method="post" action="\(page.action("register"))">\(page.visit.formToken)<div class="fields">
            <div><label for="new-person">User name</label><input id="new-person" name="person" value="dora"></div>
            <div><label for="new-password">Password</label><input id="new-password" name="password" value="dora-password"></div></div>
            <p><button>Register</button></p></form></details>

            """
    }

    private func tokenStep(_ page: WalkPage) -> HTML {
        let walk = page.walk
        let title: HTML = "<span aria-hidden=\"true\">2</span> Get a token"
        guard walk.token != nil else {
            return """
                <section class="step waiting" id="step-2"><h2>\(title)</h2><p class="soft">Needs the key of step 1.</p></section>

                """
        }
        return """
            <section class="step" id="step-2" aria-labelledby="step-2-title"><h2 id="step-2-title">\(title)</h2>
            <p>The machine calls <code>GetFederationToken</code> with its policy, and encrypts the credentials with the device's key.</p>
            <form method="post" action="\(page.action("assume"))">\(page.visit.formToken)<button class="primary">Get a token</button></form>
            \(result(page))
            </section>

            """
    }

    private func result(_ page: WalkPage) -> HTML {
        let walk = page.walk
        guard let exchange = walk.assumption else { return "" }
        guard let credentials = walk.credentials else {
            return "<div class=\"result bad-line\">\(page.refusal(exchange))\(page.exchange(exchange, id: "assume", isOpen: true))</div>\n"
        }
        return """
            <div class="result good-line">
            \(CredentialsView(page: page, credentials: credentials).html)
            <details class="fold"><summary>The answer, encrypted and decrypted</summary>
            <h4>Encrypted, in base64</h4>
            \(Parts.code(exchange.text, id: "encrypted", label: "encrypted answer"))
            <h4>Decrypted with the device's key</h4>
            \(Parts.code(decrypted, id: "decrypted", label: "decrypted answer"))</details>
            \(page.exchange(exchange, id: "assume"))
            </div>

            """
    }
}

/// The token vending machines of the seed.
struct VendingChoices {
    let room: PlaygroundRoom

    /// `nil` if the seed has none.
    var html: HTML? {
        get async throws {
            let machines = try await VendingCourse.all(room.visit.client)
            return machines.isEmpty ? nil : "<div class=\"cards\">\n\(machines.map(card))</div>"
        }
    }

    private func card(_ course: VendingCourse) -> HTML {
        """
        <section class="card"><h3>\(course.machine.title)</h3>
        <p class="soft">\(course.machine == .identity ? "For users, who register and log in." : "For devices without a user.")</p>
        <form method="post" action="\(Visit.path("/playground/start"))">\(room.visit.formToken)
        <input type="hidden" name="path" value="\(WalkKind.vending.rawValue)"><input type="hidden" name="machine" value="\(course.machine.rawValue)">
        <button class="primary">Start at the \(course.machine.title.lowercased())</button></form>
        </section>

        """
    }
}

import Calls
import ControlDocuments
import WireFormats

/// The codes and temporary passwords that user pools sent. The sandbox keeps them in place of mail.
struct SentCodes {
    let codes: [Document<UserPoolCodeMembers>]

    /// - Parameters:
    ///   - pool: the pool; `nil` for all pools.
    ///   - user: the person; `nil` for all people.
    init(_ client: ControlClient, pool: String? = nil, user: String? = nil) async {
        var query: FormFields = [:]
        if let pool { query.fields.append(.init(name: "pool", value: pool)) }
        if let user { query.fields.append(.init(name: "user", value: user)) }
        codes = await client.get("/user-pools/codes", query).document(UserPoolCodeListMembers.self).codes
    }

    var html: HTML {
        let rows = codes.prefix(100).map { code -> [HTML] in
            [
                "\(StoreScene.time(code.sent))", "<code>\(Parts.value(code.code, limit: 100))</code>",
                "\(Parts.value(Self.words(code.purpose)))", "\(Parts.value(code.user, limit: 128))",
                "\(Parts.value(code.destination, limit: 200))",
                "\(StoreScene.time(code.expires))", "\(Parts.value(code.pool))",
            ]
        }
        let headings = ["Sent", "Code", "For", "Person", "To", "Expires", "Pool"]
        let empty: HTML = "No code was sent so far. User pools send codes for sign-up, passwords and attributes."
        return """
            <section aria-labelledby="codes"><h2 id="codes">Codes sent</h2>
            \(Parts.table("Codes sent", headings, rows, empty: empty))
            </section>

            """
    }

    private static func words(_ purpose: String) -> String {
        switch purpose {
        case "signUp": "sign-up"
        case "password": "forgotten password"
        case "attribute": "verification of an attribute"
        case "temporary": "temporary password"
        default: purpose
        }
    }
}

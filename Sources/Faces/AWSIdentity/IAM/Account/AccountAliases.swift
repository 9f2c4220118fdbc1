import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on the account alias, with which an account's users sign in.
    static let accountAliases: [String: Operation] = [
        "CreateAccountAlias": .authorized(members: alias, createAlias), "DeleteAccountAlias": .authorized(members: alias, deleteAlias),
        "ListAccountAliases": .authorized(members: { try $0.part() }, listAliases),
    ]

    /// CreateAccountAlias. An account has one alias; a new one replaces the old one.
    private static func createAlias(_ alias: String, _ call: IAMCall) async throws -> QueryService.Result? {
        try await call.perform { [id = call.account] directory throws(AccountRefusal) in try directory.setAlias(alias, of: id) }
        return nil
    }

    private static func deleteAlias(_ alias: String, _ call: IAMCall) async throws -> QueryService.Result? {
        try await call.perform { [id = call.account] directory throws(AccountRefusal) in try directory.removeAlias(alias, of: id) }
        return nil
    }

    private static func listAliases(_ part: PagePart, _ call: IAMCall) async throws -> QueryService.Result? {
        let page = try Page(of: [call.directory.accounts[call.account]?.alias].compactMap(\.self), part, key: \.self)
        return { xml in page.encode("AccountAliases", into: &xml) }
    }

    private static func alias(_ parameters: inout QueryParameters) -> String {
        parameters.requiredText("AccountAlias", length: 3...63, pattern: .accountAlias)
    }
}

extension QueryParameters.Pattern {
    /// Lowercase letters, digits and single dashes between them.
    fileprivate static let accountAlias = QueryParameters.Pattern(text: "^[a-z0-9]([a-z0-9]|-(?!-)){1,61}[a-z0-9]$") { scalar in
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "-"
    } frame: {
        !$0.hasPrefix("-") && !$0.hasSuffix("-") && !$0.contains("--")
    }
}

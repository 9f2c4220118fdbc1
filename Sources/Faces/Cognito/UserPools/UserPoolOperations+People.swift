import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

extension UserPoolUser {
    /// Returns the document of a person.
    /// - Parameter attributes: the name of the member with the attributes, which differs among answers.
    func document(attributes member: String = "Attributes") -> JSONObject {
        [
            "Username": .string(username), member: attributeDocument(), "UserCreateDate": created.userPoolTime,
            "UserLastModifiedDate": modified.userPoolTime, "Enabled": .bool(isEnabled), "UserStatus": .string(status.rawValue),
        ]
    }
}

extension Timestamp {
    /// The time as a number of seconds with milliseconds.
    var userPoolTime: JSONValue { .number(Double(milliseconds) / 1000) }
}

extension SignedUserPoolCall {
    /// AdminCreateUser.
    mutating func adminCreateUser() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try username())
        let temporary = try input.text("TemporaryPassword", length: 0...256, pattern: .visible, isSecret: true)
        let attributes = try input.attributes("UserAttributes")
        let action = try input.choice("MessageAction", of: ["RESEND", "SUPPRESS"])
        let mediums = try input.texts("DesiredDeliveryMediums", of: ["SMS", "EMAIL"])
        _ = try input.flag("ForceAliasCreation")
        let validation = try input.attributes("ValidationData")
        let metadata = try input.clientMetadata()
        let pool = try pool(id)
        guard action != "RESEND" else { throw UserPoolError.unsupported("MessageAction RESEND") }
        try pool.check(attributes, of: nil, by: nil)
        let now = cloud.clock.now
        var user = try pool.newUser(name, attributes, .forceChangePassword, at: now)
        try pool.checkRequired(user)
        let text = try temporary ?? UserPoolIdentifier.newTemporaryPassword(length: pool.passwordPolicy.minimumLength)
        user.password = try user.newPassword(text, in: pool, at: now)
        let triggers = triggers(of: pool, metadata)
        try await triggers.preSignUp(&user, "AdminCreateUser", validation: validation)
        if action != "SUPPRESS" {
            // The temporary password reaches the person as a code does: by SMS, unless the call names other mediums.
            let addresses = mediums?.contains("EMAIL") == true ? ["email", "phone_number"] : ["phone_number", "email"]
            if let attribute = addresses.first(where: { user[attribute: $0] != nil }), let address = user[attribute: attribute] {
                var invitation = UserPoolCode(
                    purpose: .temporaryPassword, attribute: attribute, destination: address, code: text, sent: now,
                    expires: now + .seconds(86_400 * pool.passwordPolicy.temporaryValidityDays))
                try await triggers.writeMessage(of: &invitation, "AdminCreateUser", to: user)
                user.keep(invitation)
            }
        }
        let made = user
        do {
            try await cloud.edit { directory in try directory.addUser(made) }
        } catch UserPoolRefusal.usernameExists {
            throw UserPoolError("UsernameExistsException", "User account already exists")
        }
        return ["User": .object(made.document())]
    }

    /// AdminGetUser.
    mutating func adminGetUser() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try username())
        let user = try user(name, of: try pool(id))
        var document = user.document(attributes: "UserAttributes")
        for (name, value) in user.factorMembers.members { document[name] = value }
        return .object(document)
    }

    /// AdminDeleteUser.
    mutating func adminDeleteUser() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try username())
        let pool = try pool(id)
        let user = try user(name, of: pool)
        try await logins.endAll(of: user, in: pool)
        try await cloud.edit { directory in try directory.deleteUser(sub: user.sub, in: pool.id) }
        return nil
    }

    /// AdminEnableUser and AdminDisableUser. A person who is disabled has no logins afterwards.
    mutating func adminSetUser(enabled isEnabled: Bool) async throws -> JSONValue? {
        let (id, name) = (try poolID(), try username())
        let pool = try pool(id)
        let user = try user(name, of: pool)
        try await cloud.change(user) { $0.isEnabled = isEnabled }
        if !isEnabled { try await logins.endAll(of: user, in: pool) }
        return [:]
    }

    /// AdminConfirmSignUp.
    mutating func adminConfirmSignUp() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try username())
        let metadata = try input.clientMetadata()
        let pool = try pool(id)
        let user = try user(name, of: pool)
        guard user.status == .unconfirmed else {
            throw UserPoolError.notAuthorized("User cannot be confirmed. Current status is \(user.status.rawValue)")
        }
        let confirmed = try await cloud.change(user) { $0.status = .confirmed }
        try await triggers(of: pool, metadata).postConfirmation(confirmed, "ConfirmSignUp")
        return [:]
    }

    /// AdminSetUserPassword.
    mutating func adminSetUserPassword() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try username())
        let text = try input.requiredText("Password", length: 0...256, pattern: .visible, isSecret: true)
        let isPermanent = try input.flag("Permanent") ?? false
        let pool = try pool(id)
        let user = try user(name, of: pool)
        let password = try user.newPassword(text, in: pool, at: cloud.clock.now)
        try await cloud.change(user) { user in
            user.password = password
            user.status = isPermanent ? .confirmed : .forceChangePassword
        }
        return [:]
    }

    /// AdminResetUserPassword.
    mutating func adminResetUserPassword() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try username())
        let metadata = try input.clientMetadata()
        let pool = try pool(id)
        let user = try user(name, of: pool)
        guard user.status != .forceChangePassword, user.status != .externalProvider else {
            throw UserPoolError.notAuthorized("User password cannot be reset in the current state.")
        }
        let verified = pool.recovery.compactMap(\.attribute).filter { user.isVerified($0) }
        guard var code = try UserPoolCode.new(.password, for: user, to: verified, at: cloud.clock.now) else {
            throw UserPoolError.invalidParameter(
                "Cannot reset password for the user as there is no registered/verified email or phone_number")
        }
        try await triggers(of: pool, metadata).writeMessage(of: &code, "ForgotPassword", to: user)
        let sent = code
        try await cloud.change(user) { user in
            user.status = .resetRequired
            user.password = nil
            user.keep(sent)
        }
        return [:]
    }

    /// AdminUpdateUserAttributes. A new address is verified only if the call says so, and otherwise gets a code if the pool verifies it.
    /// (Amazon Cognito User Pools API Reference, "AdminUpdateUserAttributes".)
    mutating func adminUpdateUserAttributes() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try username())
        let attributes = try input.attributes("UserAttributes")
        let metadata = try input.clientMetadata()
        let pool = try pool(id)
        let user = try user(name, of: pool)
        try pool.check(attributes, of: user, by: nil)
        let codes = try pool.codes(for: attributes, of: user, at: cloud.clock.now)
        let sent = try await triggers(of: pool, metadata).writeMessages(of: codes, for: attributes, of: user)
        try await cloud.change(user) { user in
            user.choose(attributes)
            for attribute in attributes where UserPoolAttribute.verified.contains(attribute.name) {
                user[attribute: attribute.name] = attribute.value
            }
            for code in sent { user.keep(code) }
        }
        return [:]
    }

    /// AdminDeleteUserAttributes.
    mutating func adminDeleteUserAttributes() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try username())
        let names = try input.texts("UserAttributeNames") ?? []
        let pool = try pool(id)
        let user = try user(name, of: pool)
        try pool.checkDeletion(of: names, by: nil)
        try await cloud.change(user) { $0.removeAttributes(names) }
        return [:]
    }

    /// ListUsers. Pages are in the order of `sub`, and the token is the last one of the page before.
    mutating func listUsers() async throws -> JSONValue? {
        let id = try poolID()
        let limit = try input.integer("Limit", range: 0...60) ?? 60
        let token = try input.text("PaginationToken", length: 1...2048, pattern: .visible)
        let filter = try input.text("Filter", length: 0...256)
        let names = try input.texts("AttributesToGet")
        let pool = try pool(id)
        var condition: UserFilter?
        if let filter, !filter.isEmpty { condition = try UserFilter(filter) }
        var found: [UserPoolUser] = []
        for user in pools.users(of: pool.id, after: token ?? "") where condition?.accepts(user) ?? true {
            found.append(user)
            if found.count > max(limit, 1) { break }
        }
        let page = found.prefix(max(limit, 1))
        var result: JSONObject = [
            "Users": .array(
                page.map { user in
                    var user = user
                    if let names { user.attributes.removeAll { !names.contains($0.name) } }
                    return .object(user.document())
                })
        ]
        if found.count > page.count, let last = page.last { result["PaginationToken"] = .string(last.sub) }
        return .object(result)
    }
}

/// The filter of ListUsers: an attribute, `=` or `^=`, and a value in quotation marks.
struct UserFilter: Sendable {
    private let name: String
    private let isPrefix: Bool
    private let value: String

    init(_ text: String) throws(UserPoolError) {
        let invalid = UserPoolError.invalidParameter("Error while parsing filter.")
        guard let sign = text.firstIndex(of: "=") else { throw invalid }
        var left = text[..<sign]
        isPrefix = left.hasSuffix("^")
        if isPrefix { left = left.dropLast() }
        let quoted = String(text[sign...].dropFirst())
        guard let first = quoted.firstIndex(of: "\""), let last = quoted.lastIndex(of: "\""), first < last else { throw invalid }
        name = String(left).split(separator: " ").joined()
        value = String(quoted[quoted.index(after: first)..<last])
        guard !name.isEmpty else { throw invalid }
    }

    func accepts(_ user: UserPoolUser) -> Bool {
        let found: String? =
            switch name {
            case "username": user.username
            case "cognito:user_status": user.status.rawValue
            case "status": user.isEnabled ? "Enabled" : "Disabled"
            default: user[attribute: name]
            }
        guard let found else { return false }
        return isPrefix ? found.hasPrefix(value) : found == value
    }
}

import Cloud
import Cryptography
import Directory
import WireFormats

/// How a code reached a person.
struct CodeDelivery: Sendable {
    let code: UserPoolCode

    /// The document, in which the address is mostly hidden.
    var document: JSONValue {
        let destination =
            switch code.medium {
            case .email: Self.hiddenMail(code.destination)
            case .phone: Self.hiddenPhone(code.destination)
            }
        return [
            "AttributeName": .string(code.attribute), "DeliveryMedium": .string(code.medium.rawValue), "Destination": .string(destination),
        ]
    }

    private static func hiddenMail(_ address: String) -> String {
        let parts = address.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.map { "\($0.prefix(1))***" }.joined(separator: "@")
    }

    private static func hiddenPhone(_ number: String) -> String { "+*******\(number.suffix(4))" }
}

extension UserPoolCode {
    /// Returns a new code for an address of a person; `nil` if the person has no such address.
    /// - Parameters:
    ///   - attributes: the attributes whose values are addresses, the first one preferred.
    ///   - validity: the time for which the code is accepted; `nil` for the usual one of its purpose.
    static func new(
        _ purpose: Purpose, for user: UserPoolUser, to attributes: [String], at time: Timestamp, validity: Duration? = nil
    ) throws(CryptographyError) -> UserPoolCode? {
        for attribute in attributes {
            guard let address = user[attribute: attribute] else { continue }
            // (Amazon Cognito Developer Guide, "Quotas in Amazon Cognito".)
            let validity = validity ?? Duration.seconds(purpose == .password ? 3600 : 86_400)
            return UserPoolCode(
                purpose: purpose, attribute: attribute, destination: address, code: try UserPoolIdentifier.newCode(), sent: time,
                expires: time + validity)
        }
        return nil
    }
}

extension UserPoolUser {
    /// Keeps a code in place of earlier ones for the same purpose and attribute.
    mutating func keep(_ code: UserPoolCode) {
        codes.removeAll { $0.purpose == code.purpose && $0.attribute == code.attribute }
        codes.append(code)
    }

    /// Whether the person can sign in, and has or can get a code for another password.
    func canResetPassword(in pool: UserPool) -> Bool {
        let hasCode = codes.contains { $0.purpose == .password }
        return isEnabled && (hasCode || pool.recovery.compactMap(\.attribute).contains { isVerified($0) })
    }

    /// Checks a code that a person sent.
    /// - Returns: the code that was sent to the person.
    func code(
        _ text: String, for purpose: UserPoolCode.Purpose, attribute: String? = nil, by clock: SandboxClock
    ) throws(UserPoolError) -> UserPoolCode {
        let sent = codes.filter { $0.purpose == purpose && (attribute == nil || $0.attribute == attribute) }
        guard !sent.isEmpty else { throw .expiredCode }
        guard let code = sent.first(where: { constantTimeEquals($0.code, text) }) else { throw .wrongCode }
        guard !clock.hasExpired(code.expires, issuedAt: code.sent) else { throw .expiredCode }
        return code
    }
}

extension UserPoolCall {
    private mutating func confirmationCode() throws(UserPoolError) -> String {
        try input.requiredText("ConfirmationCode", length: 1...2048, pattern: .visible, isSecret: true)
    }

    /// SignUp.
    mutating func signUp() async throws -> JSONValue? {
        let (id, name, hash) = (try clientID(), try username(), try secretHash())
        let password = try input.requiredText("Password", length: 6...256, pattern: .visible, isSecret: true)
        let attributes = try input.attributes("UserAttributes")
        let validation = try input.attributes("ValidationData")
        let metadata = try input.clientMetadata()
        try input.check()
        let (client, pool) = try client(id)
        try client.check(secretHash: hash, of: name)
        guard !pool.allowsAdminCreateUserOnly else { throw UserPoolError.notAuthorized("SignUp is not permitted for this user pool") }
        try pool.check(attributes, of: nil, by: client)
        let now = cloud.clock.now
        var user = try pool.newUser(name, attributes, .unconfirmed, at: now)
        try pool.checkRequired(user)
        user.password = try user.newPassword(password, in: pool, at: now)
        let triggers = triggers(of: pool, by: client, metadata)
        try await triggers.preSignUp(&user, "SignUp", validation: validation)
        let isConfirmed = user.status == .confirmed
        var code = isConfirmed ? nil : try UserPoolCode.new(.signUp, for: user, to: pool.autoVerifiedAttributes, at: now)
        if var sent = code {
            try await triggers.writeMessage(of: &sent, "SignUp", to: user)
            user.keep(sent)
            code = sent
        }
        let made = user
        try await cloud.edit { directory in try directory.signUp(made) }
        if isConfirmed { try await triggers.postConfirmation(made, "ConfirmSignUp") }
        var result: JSONObject = ["UserConfirmed": .bool(isConfirmed), "UserSub": .string(made.sub)]
        if let code { result["CodeDeliveryDetails"] = CodeDelivery(code: code).document }
        return .object(result)
    }

    /// ConfirmSignUp.
    mutating func confirmSignUp() async throws -> JSONValue? {
        let (id, name, hash, text) = (try clientID(), try username(), try secretHash(), try confirmationCode())
        _ = try input.flag("ForceAliasCreation")
        let metadata = try input.clientMetadata()
        try input.check()
        let (client, pool) = try client(id)
        try client.check(secretHash: hash, of: name)
        guard let user = pools.user(signingInAs: name, in: pool) else {
            throw client.hidesUnknownUsers ? UserPoolError.expiredCode : UserPoolError.unknownUser
        }
        guard user.status == .unconfirmed else {
            throw UserPoolError.notAuthorized("User cannot be confirmed. Current status is \(user.status.rawValue)")
        }
        let code = try user.code(text, for: .signUp, by: cloud.clock)
        let confirmed = try await change(user) { user in
            user.status = .confirmed
            user.codes.removeAll { $0.purpose == .signUp }
            // An address that changed meanwhile was not proven.
            if user[attribute: code.attribute] == code.destination { user[attribute: code.attribute + "_verified"] = "true" }
        }
        try await triggers(of: pool, by: client, metadata).postConfirmation(confirmed, "ConfirmSignUp")
        return [:]
    }

    /// ResendConfirmationCode.
    mutating func resendConfirmationCode() async throws -> JSONValue? {
        let (id, name, hash) = (try clientID(), try username(), try secretHash())
        let metadata = try input.clientMetadata()
        try input.check()
        let (client, pool) = try client(id)
        try client.check(secretHash: hash, of: name)
        guard let user = pools.user(signingInAs: name, in: pool) else {
            guard client.hidesUnknownUsers else { throw UserPoolError.unknownUser }
            let delivery = PretendedUser(name, in: pool, of: cloud).delivery(to: pool.autoVerifiedAttributes)
            return ["CodeDeliveryDetails": delivery.document]
        }
        guard user.status == .unconfirmed else { throw UserPoolError.invalidParameter("User is already confirmed.") }
        guard var code = try UserPoolCode.new(.signUp, for: user, to: pool.autoVerifiedAttributes, at: cloud.clock.now) else {
            throw UserPoolError.invalidParameter("Auto verification not turned on.")
        }
        try await triggers(of: pool, by: client, metadata).writeMessage(of: &code, "ResendCode", to: user)
        let sent = code
        try await change(user) { $0.keep(sent) }
        return ["CodeDeliveryDetails": CodeDelivery(code: code).document]
    }

    /// ForgotPassword.
    mutating func forgotPassword() async throws -> JSONValue? {
        let (id, name, hash) = (try clientID(), try username(), try secretHash())
        let metadata = try input.clientMetadata()
        try input.check()
        let (client, pool) = try client(id)
        try client.check(secretHash: hash, of: name)
        let triggers = triggers(of: pool, by: client, metadata)
        let recovery = pool.recovery.compactMap(\.attribute)
        // Who cannot get a code is hidden like who does not exist.
        func pretend(insteadOf error: UserPoolError) throws(UserPoolError) -> JSONValue {
            guard client.hidesUnknownUsers else { throw error }
            let usual = recovery.filter { pool.autoVerifiedAttributes.contains($0) } + recovery
            return ["CodeDeliveryDetails": PretendedUser(name, in: pool, of: cloud).delivery(to: usual).document]
        }
        var found = pools.user(signingInAs: name, in: pool)
        if found == nil {
            found = try await triggers.migrate(name, "ForgotPassword", password: nil, validation: metadata, by: client)
        }
        guard let user = found else { return try pretend(insteadOf: .unknownUser) }
        guard user.isEnabled else { return try pretend(insteadOf: .disabledUser) }
        guard user.status != .forceChangePassword, user.status != .externalProvider else {
            throw UserPoolError.notAuthorized("User password cannot be reset in the current state.")
        }
        let verified = recovery.filter { user.isVerified($0) }
        guard var code = try UserPoolCode.new(.password, for: user, to: verified, at: cloud.clock.now) else {
            return try pretend(
                insteadOf: .invalidParameter(
                    "Cannot reset password for the user as there is no registered/verified email or phone_number"))
        }
        try await triggers.writeMessage(of: &code, "ForgotPassword", to: user)
        let sent = code
        try await change(user) { $0.keep(sent) }
        return ["CodeDeliveryDetails": CodeDelivery(code: sent).document]
    }

    /// ConfirmForgotPassword.
    mutating func confirmForgotPassword() async throws -> JSONValue? {
        let (id, name, hash, text) = (try clientID(), try username(), try secretHash(), try confirmationCode())
        let password = try input.requiredText("Password", length: 6...256, pattern: .visible, isSecret: true)
        let metadata = try input.clientMetadata()
        try input.check()
        let (client, pool) = try client(id)
        try client.check(secretHash: hash, of: name)
        let found = pools.user(signingInAs: name, in: pool)
        // Names to which ForgotPassword pretends a delivery have the error of a wrong code.
        // (Amazon Cognito Developer Guide, "Managing user existence error responses".)
        if client.hidesUnknownUsers, !(found?.canResetPassword(in: pool) ?? false) { throw UserPoolError.wrongCode }
        guard let user = found else { throw UserPoolError.unknownUser }
        guard user.isEnabled else { throw UserPoolError.disabledUser }
        _ = try user.code(text, for: .password, by: cloud.clock)
        let new = try user.newPassword(password, in: pool, at: cloud.clock.now)
        let confirmed = try await change(user) { user in
            user.password = new
            user.status = .confirmed
            user.codes.removeAll { $0.purpose == .password }
        }
        try await triggers(of: pool, by: client, metadata).postConfirmation(confirmed, "ConfirmForgotPassword")
        return [:]
    }
}

extension UserPool {
    /// Returns a new person, not added yet. Where people sign up with an address, the username is the `sub`.
    func newUser(
        _ name: String, _ attributes: [UserPoolUser.Attribute], _ status: UserPoolUser.Status, at time: Timestamp
    ) throws -> UserPoolUser {
        let sub = try UserPoolIdentifier.newUUID()
        guard !usernameAttributes.isEmpty else {
            if aliasAttributes.contains("email"), name.contains("@") {
                throw UserPoolError.invalidParameter("Username cannot be of email format, since user pool is configured for email alias.")
            }
            if aliasAttributes.contains("phone_number"), Self.isPhoneNumber(name) {
                throw UserPoolError.invalidParameter(
                    "Username cannot be of phone number format, since user pool is configured for phone number alias.")
            }
            var user = UserPoolUser(pool: id, sub: sub, username: name, status: status, created: time)
            for attribute in attributes { user[attribute: attribute.name] = attribute.value }
            return user
        }
        let isMail = name.contains("@")
        let attribute = isMail ? "email" : "phone_number"
        guard usernameAttributes.contains(attribute) else {
            throw UserPoolError.invalidParameter(
                isMail ? "Username should be a phone number." : "Username should be an email.")
        }
        let isOther = attributes.contains { $0.name == attribute && !$0.value.isEmpty && folded($0.value) != folded(name) }
        guard !isOther else {
            throw UserPoolError.invalidParameter(
                "User \(attribute) should be empty or same as username, since username attribute is \(attribute).")
        }
        var user = UserPoolUser(pool: id, sub: sub, username: sub, status: status, created: time)
        user[attribute: attribute] = name
        for other in attributes where other.name != attribute { user[attribute: other.name] = other.value }
        return user
    }
}

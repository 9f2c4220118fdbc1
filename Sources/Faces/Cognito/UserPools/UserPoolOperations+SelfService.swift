import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

extension UserPoolUser {
    /// Returns the attributes as a document: `sub` first.
    func attributeDocument(readBy client: UserPoolClient? = nil) -> JSONValue {
        let all = [Attribute("sub", sub)] + attributes.filter { client?.reads($0.name) ?? true }
        var elements: [JSONValue] = all.map { ["Name": .string($0.name), "Value": .string($0.value)] }
        if !identities.isEmpty { elements.append(["Name": "identities", "Value": .string(identityDocument.serialized())]) }
        return .array(elements)
    }

    /// The identity providers with which the person signs in.
    private var identityDocument: JSONValue {
        .array(
            identities.map { link in
                [
                    "userId": .string(link.subject), "providerName": .string(link.provider), "providerType": .string(link.kind.rawValue),
                    "issuer": .null, "primary": .bool(link.isPrimary), "dateCreated": .integer(link.created.milliseconds),
                ]
            })
    }

    /// The members about second factors that answers about a person have.
    var factorMembers: JSONObject {
        guard !enabledFactors.isEmpty else { return [:] }
        var members: JSONObject = ["UserMFASettingList": .array(enabledFactors.map { .string($0.rawValue) })]
        if let preferredFactor { members["PreferredMfaSetting"] = .string(preferredFactor.rawValue) }
        return members
    }
}

extension UserPool {
    /// Returns the codes that verify the new addresses of a person.
    /// - Parameter attributes: the attributes that are set. An address that they verify gets no code.
    func codes(
        for attributes: [UserPoolUser.Attribute], of user: UserPoolUser, at time: Timestamp
    ) throws(CryptographyError) -> [UserPoolCode] {
        let changed = attributes.filter { user[attribute: $0.name] != $0.value && autoVerifiedAttributes.contains($0.name) }
        var draft = user
        for attribute in changed { draft[attribute: attribute.name] = attribute.value }
        var codes: [UserPoolCode] = []
        for name in changed.map(\.name).uniqued() {
            let isVerified = attributes.contains { $0.name == name + "_verified" && $0.value.lowercasedASCII == "true" }
            if !isVerified, let code = try UserPoolCode.new(.attribute, for: draft, to: [name], at: time) { codes.append(code) }
        }
        return codes
    }
}

extension UserPoolCall {
    /// GetUser.
    mutating func getUser() async throws -> JSONValue? {
        let token = try accessToken()
        try input.check()
        let holder = try await holder(ofAccessToken: token)
        var result: JSONObject = [
            "Username": .string(holder.user.username), "UserAttributes": holder.user.attributeDocument(readBy: holder.client),
        ]
        for (name, value) in holder.user.factorMembers.members { result[name] = value }
        return .object(result)
    }

    /// UpdateUserAttributes. A new address is not verified, and gets a code if the pool verifies it.
    mutating func updateUserAttributes() async throws -> JSONValue? {
        let token = try accessToken()
        let attributes = try input.attributes("UserAttributes")
        let metadata = try input.clientMetadata()
        try input.check()
        let holder = try await holder(ofAccessToken: token)
        try holder.pool.check(attributes, of: holder.user, by: holder.client)
        let codes = try holder.pool.codes(for: attributes, of: holder.user, at: cloud.clock.now)
        let sent = try await triggers(of: holder.pool, by: holder.client, metadata)
            .writeMessages(of: codes, for: attributes, of: holder.user)
        try await change(holder.user) { user in
            user.choose(attributes)
            for code in sent { user.keep(code) }
        }
        return ["CodeDeliveryDetailsList": .array(sent.map { CodeDelivery(code: $0).document })]
    }

    /// DeleteUserAttributes.
    mutating func deleteUserAttributes() async throws -> JSONValue? {
        let token = try accessToken()
        let names = try input.texts("UserAttributeNames") ?? []
        try input.check()
        let holder = try await holder(ofAccessToken: token)
        try holder.pool.checkDeletion(of: names, by: holder.client)
        try await change(holder.user) { $0.removeAttributes(names) }
        return [:]
    }

    /// GetUserAttributeVerificationCode.
    mutating func getUserAttributeVerificationCode() async throws -> JSONValue? {
        let token = try accessToken()
        let name = try input.requiredText("AttributeName", length: 1...32, pattern: .name)
        let metadata = try input.clientMetadata()
        try input.check()
        let holder = try await holder(ofAccessToken: token)
        guard name == "email" || name == "phone_number" else {
            throw UserPoolError.invalidParameter("Invalid attribute: only email and phone_number can be verified.")
        }
        guard var code = try UserPoolCode.new(.attribute, for: holder.user, to: [name], at: cloud.clock.now) else {
            throw UserPoolError.invalidParameter("The user has no attribute \(name).")
        }
        try await triggers(of: holder.pool, by: holder.client, metadata)
            .writeMessage(of: &code, "VerifyUserAttribute", to: holder.user)
        let sent = code
        try await change(holder.user) { $0.keep(sent) }
        return ["CodeDeliveryDetails": CodeDelivery(code: sent).document]
    }

    /// VerifyUserAttribute.
    mutating func verifyUserAttribute() async throws -> JSONValue? {
        let token = try accessToken()
        let name = try input.requiredText("AttributeName", length: 1...32, pattern: .name)
        let text = try input.requiredText("Code", length: 1...2048, pattern: .visible, isSecret: true)
        try input.check()
        let holder = try await holder(ofAccessToken: token)
        let code = try holder.user.code(text, for: .attribute, attribute: name, by: cloud.clock)
        let changed = try await change(holder.user) { user in
            // An address that changed meanwhile was not proven.
            guard user[attribute: name] == code.destination else { return }
            user[attribute: name + "_verified"] = "true"
            user.codes.removeAll { $0.purpose == .attribute && $0.attribute == name }
        }
        guard changed[attribute: name] == code.destination else { throw UserPoolError.expiredCode }
        return [:]
    }

    /// ChangePassword.
    mutating func changePassword() async throws -> JSONValue? {
        let token = try accessToken()
        let old = try input.text("PreviousPassword", length: 1...256, pattern: .visible, isSecret: true)
        let new = try input.requiredText("ProposedPassword", length: 6...256, pattern: .visible, isSecret: true)
        try input.check()
        let holder = try await holder(ofAccessToken: token)
        guard let old, try holder.user.hasPassword(old, in: holder.pool) else { throw UserPoolError.wrongPassword }
        let password = try holder.user.newPassword(new, in: holder.pool, at: cloud.clock.now)
        try await change(holder.user) { $0.password = password }
        return [:]
    }

    /// DeleteUser.
    mutating func deleteUser() async throws -> JSONValue? {
        let token = try accessToken()
        try input.check()
        let holder = try await holder(ofAccessToken: token)
        try await logins.endAll(of: holder.user, in: holder.pool)
        let (sub, pool) = (holder.user.sub, holder.pool.id)
        try await cloud.edit { directory in try directory.deleteUser(sub: sub, in: pool) }
        return nil
    }
}

extension UserPool {
    /// Checks that attributes can be deleted.
    func checkDeletion(of names: [String], by client: UserPoolClient?) throws(UserPoolError) {
        for name in names {
            guard let known = attribute(name) else {
                throw .invalidParameter("user.\(name): Attribute does not exist in the schema.")
            }
            guard known.isMutable, !known.isRequired else { throw .invalidParameter("user.\(name): Attribute cannot be deleted.") }
            if let client, !client.writes(name) || UserPoolAttribute.verified.contains(name) {
                throw .notAuthorized("A client attempted to write unauthorized attribute")
            }
        }
    }
}

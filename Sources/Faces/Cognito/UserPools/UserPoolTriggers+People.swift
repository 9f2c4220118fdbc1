import Cloud
import Cryptography
import Directory
import WireFormats

extension UserPoolUser {
    /// The attributes as functions receive them.
    var eventAttributes: JSONObject {
        var members: JSONObject = ["sub": .string(sub), "cognito:user_status": .string(status.rawValue)]
        for attribute in attributes { members[attribute.name] = .string(attribute.value) }
        return members
    }
}

extension UserPoolTriggers {
    /// Returns what a client passes for checks, or `null`.
    private static func validationData(_ data: JSONObject) -> JSONValue { data.isEmpty ? .null : .object(data) }

    /// Lets a function refuse a new person, or confirm the person and the addresses.
    /// - Parameter validation: the member `ValidationData` of the call.
    func preSignUp(_ user: inout UserPoolUser, _ source: String, validation: [UserPoolUser.Attribute]) async throws {
        let request: JSONObject = [
            "userAttributes": .object(JSONObject(user.attributes.map { ($0.name, JSONValue.string($0.value)) })),
            "validationData": Self.validationData(JSONObject(validation.map { ($0.name, JSONValue.string($0.value)) })),
        ]
        let response: JSONObject = ["autoConfirmUser": false, "autoVerifyEmail": false, "autoVerifyPhone": false]
        guard let result = try await call(.preSignUp, source, of: user.username, request: request, response: response) else { return }
        // An address that is missing is an error at AWS; its text is not known.
        if try result.flag("autoVerifyEmail") {
            guard user[attribute: "email"] != nil else { throw UserPoolTriggerResponse.unrecognizable }
            user[attribute: "email_verified"] = "true"
        }
        if try result.flag("autoVerifyPhone") {
            guard user[attribute: "phone_number"] != nil else { throw UserPoolTriggerResponse.unrecognizable }
            user[attribute: "phone_number_verified"] = "true"
        }
        // It has no effect on those whom an administrator creates.
        if try result.flag("autoConfirmUser"), user.status == .unconfirmed { user.status = .confirmed }
    }

    /// Calls a function after a person was confirmed, or has set another password. The person stays confirmed if it fails.
    func postConfirmation(_ user: UserPoolUser, _ source: String) async throws {
        _ = try await call(
            .postConfirmation, source, of: user.username, request: ["userAttributes": .object(user.eventAttributes)])
    }

    /// Lets a function refuse a sign-in before the password is checked.
    /// - Parameters:
    ///   - user: the person; `nil` if there is none with the name.
    ///   - validation: the member `ClientMetadata` of the call that begins the sign-in.
    func preAuthentication(_ user: UserPoolUser?, named name: String, validation: JSONObject) async throws {
        var request: JSONObject = [
            "userAttributes": .object(user?.eventAttributes ?? [:]), "validationData": Self.validationData(validation),
        ]
        if client?.hidesUnknownUsers == true { request["userNotFound"] = .bool(user == nil) }
        _ = try await call(.preAuthentication, "Authentication", of: user?.username ?? name, request: request)
    }

    /// Lets a function refuse a sign-in after its last challenge.
    func postAuthentication(_ user: UserPoolUser, onNewDevice isNew: Bool) async throws {
        _ = try await call(
            .postAuthentication, "Authentication", of: user.username,
            request: ["userAttributes": .object(user.eventAttributes), "newDeviceUsed": .bool(isNew)])
    }

    /// Lets a function find a person in another directory, and adds the person to the pool.
    /// - Parameters:
    ///   - password: the password of the sign-in, which the function checks; `nil` if the person forgot it.
    ///   - validation: the member `ClientMetadata` of the call.
    /// - Returns: the person; `nil` if there is none, and the client hides that.
    /// - Throws: `UserNotFoundException` if the function refuses; its text is known from public reports.
    func migrate(
        _ name: String, _ source: String, password: String?, validation: JSONObject, by client: UserPoolClient
    ) async throws -> UserPoolUser? {
        var request: JSONObject = ["validationData": Self.validationData(validation)]
        if let password { request["password"] = .string(password) }
        let response: JSONObject = [
            "userAttributes": .null, "forceAliasCreation": .null, "finalUserStatus": .null, "messageAction": .null,
            "desiredDeliveryMediums": .null,
        ]
        let result: UserPoolTriggerResponse?
        do {
            result = try await call(.userMigration, source, of: name, request: request, response: response)
        } catch {
            guard let refusal = error as? UserPoolError, refusal.code == "UserLambdaValidationException" else { throw error }
            if client.hidesUnknownUsers { return nil }
            throw UserPoolError("UserNotFoundException", "Exception migrating user in app client \(client.id)")
        }
        guard let result else { return nil }
        let user = try migrated(name, password, result)
        try await http.cloud.edit { directory in try directory.addUser(user) }
        return user
    }

    private func migrated(_ name: String, _ password: String?, _ result: UserPoolTriggerResponse) throws -> UserPoolUser {
        let now = http.cloud.clock.now
        let attributes = try result.textMap("userAttributes").members.compactMap { member -> UserPoolUser.Attribute? in
            // The name is that of the sign-in.
            guard member.name != "username", member.name != "sub" else { return nil }
            return UserPoolUser.Attribute(member.name, member.value.stringValue ?? "")
        }
        guard !attributes.isEmpty else { throw UserPoolTriggerResponse.unrecognizable }
        try pool.check(attributes, of: nil, by: nil)
        let status: UserPoolUser.Status
        switch try result.text("finalUserStatus") {
        case "CONFIRMED": status = .confirmed
        case "RESET_REQUIRED", nil: status = .resetRequired
        default: throw UserPoolTriggerResponse.unrecognizable
        }
        var user = try pool.newUser(name, attributes, status, at: now)
        try pool.checkRequired(user)
        // The policy for passwords holds for new ones only.
        if let password, status == .confirmed { user.password = try user.verifier(of: password, in: pool, at: now) }
        return user
    }
}

import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

extension UserPoolDevice {
    /// The document. Administrators also see whether the device is remembered.
    fileprivate func document(forAdministrator isAdmin: Bool) -> JSONValue {
        var attributes: [(String, String)] = [("device_status", "valid")]
        if let name { attributes.append(("device_name", name)) }
        if isAdmin { attributes.append(("dev:device_remembered_status", isRemembered ? "remembered" : "not_remembered")) }
        if !address.isEmpty { attributes.append(("last_ip_used", address)) }
        return [
            "DeviceKey": .string(key),
            "DeviceAttributes": .array(attributes.map { ["Name": .string($0.0), "Value": .string($0.1)] }),
            "DeviceCreateDate": created.userPoolTime, "DeviceLastModifiedDate": modified.userPoolTime,
            "DeviceLastAuthenticatedDate": authenticated.userPoolTime,
        ]
    }
}

extension UserPoolInput {
    fileprivate mutating func deviceKey() throws(UserPoolError) -> String {
        try requiredText("DeviceKey", length: 1...55, pattern: .device)
    }

    /// Returns whether a device is to be remembered. A call without the member does not remember it.
    fileprivate mutating func remembersDevice() throws(UserPoolError) -> Bool {
        try choice("DeviceRememberedStatus", of: ["remembered", "not_remembered"]) == "remembered"
    }

    /// Returns which part of a list a call asks for.
    fileprivate mutating func devicePage() throws(UserPoolError) -> (limit: Int, token: String?) {
        (try integer("Limit", range: 0...60) ?? 60, try text("PaginationToken", length: 1...2048, pattern: .visible))
    }

    /// Reads what verifies the secret of a device. The verifier has the length of an element of the group.
    fileprivate mutating func deviceSecret() throws(UserPoolError) -> (salt: [UInt8], verifier: [UInt8]) {
        guard var settings = try object("DeviceSecretVerifierConfig") else {
            throw .invalidParameter("Missing required parameter DeviceSecretVerifierConfig")
        }
        let saltText = try settings.requiredText("Salt", length: 1...256, isSecret: true)
        let verifierText = try settings.requiredText("PasswordVerifier", length: 1...1024, isSecret: true)
        try settings.check()
        // AWS's text is not known.
        let invalid = UserPoolError.invalidParameter("Invalid DeviceSecretVerifierConfig.")
        guard let salt = [UInt8](base64: saltText), let bytes = [UInt8](base64: verifierText) else { throw invalid }
        let digits = Array(bytes.drop { $0 == 0 })
        guard !salt.isEmpty, (1...UserPoolDevice.verifierLength).contains(digits.count) else { throw invalid }
        return (salt, Array(repeating: 0, count: UserPoolDevice.verifierLength - digits.count) + digits)
    }
}

extension UserPoolUser {
    fileprivate func requiredDevice(_ key: String) throws(UserPoolError) -> UserPoolDevice {
        guard let device = device(key) else { throw .unknownDevice }
        return device
    }

    /// Returns a part of the list of remembered devices, in the order of their keys.
    fileprivate func listOfDevices(_ page: (limit: Int, token: String?), forAdministrator isAdmin: Bool) -> JSONValue {
        let all = devices.filter(\.isRemembered).sorted { $0.key < $1.key }
        let rest = all.drop { device in page.token.map { device.key <= $0 } ?? false }
        let shown = rest.prefix(max(page.limit, 1))
        var result: JSONObject = ["Devices": .array(shown.map { $0.document(forAdministrator: isAdmin) })]
        if shown.count < rest.count, let last = shown.last { result["PaginationToken"] = .string(last.key) }
        return .object(result)
    }
}

extension Cloud {
    /// Forgets a device, and ends the logins on it.
    /// - Parameter login: the login of the call, which continues; `nil` for none.
    fileprivate func forget(_ device: UserPoolDevice, of user: UserPoolUser, except login: String? = nil) async throws {
        try await UserPoolLoginStore(cloud: self).endAll(on: device, except: login)
        try await change(user) { user in user.devices.removeAll { $0.key == device.key } }
    }

    fileprivate func remember(_ isRemembered: Bool, _ device: UserPoolDevice, of user: UserPoolUser) async throws {
        let now = clock.now
        try await change(user) { user in
            user.changeDevice(device.key) { device in (device.isRemembered, device.modified) = (isRemembered, now) }
        }
    }
}

extension UserPoolCall {
    /// ConfirmDevice. A login confirms the device whose key its tokens came with.
    mutating func confirmDevice() async throws -> JSONValue? {
        let token = try accessToken()
        let key = try input.deviceKey()
        let name = try input.text("DeviceName", length: 1...1024)
        let (salt, verifier) = try input.deviceSecret()
        try input.check()
        let holder = try await holder(ofAccessToken: token)
        // (boto/boto3 issue 4059.)
        guard let settings = holder.pool.devices else { throw UserPoolError.invalidParameter("Invalid device key given.") }
        // AWS's text is not known.
        guard holder.user.device(key) == nil else { throw UserPoolError("DeviceKeyExistsException", "Device key already exists.") }
        // (aws/aws-sdk-net issue 1055.)
        guard key == logins.newDeviceKey(of: holder.login, in: holder.pool) else { throw UserPoolError.unknownDevice }
        let device = UserPoolDevice(
            key: key, group: logins.deviceGroup(of: holder.user, in: holder.pool), name: name, salt: salt, verifier: verifier,
            isRemembered: !settings.isOnPrompt, created: cloud.clock.now, address: http.sourceIP, login: holder.login)
        try await change(holder.user) { user in
            user.devices.removeAll { $0.key == key }
            user.devices.append(device)
        }
        return ["UserConfirmationNecessary": .bool(settings.isOnPrompt)]
    }

    /// Returns the holder of an access token, which the model does not require.
    private mutating func deviceHolder() async throws -> TokenHolder {
        let token = try input.text("AccessToken", length: 0...20_000, pattern: .token, isSecret: true)
        try input.check()
        guard let token else { throw UserPoolTokenFault.invalid }
        return try await holder(ofAccessToken: token)
    }

    /// GetDevice.
    mutating func getDevice() async throws -> JSONValue? {
        let key = try input.deviceKey()
        let holder = try await deviceHolder()
        return ["Device": try holder.user.requiredDevice(key).document(forAdministrator: false)]
    }

    /// ListDevices.
    mutating func listDevices() async throws -> JSONValue? {
        let page = try input.devicePage()
        let holder = try await deviceHolder()
        return holder.user.listOfDevices(page, forAdministrator: false)
    }

    /// ForgetDevice.
    mutating func forgetDevice() async throws -> JSONValue? {
        let key = try input.deviceKey()
        let holder = try await deviceHolder()
        try await cloud.forget(try holder.user.requiredDevice(key), of: holder.user, except: holder.login)
        return nil
    }

    /// UpdateDeviceStatus.
    mutating func updateDeviceStatus() async throws -> JSONValue? {
        let key = try input.deviceKey()
        let isRemembered = try input.remembersDevice()
        let holder = try await deviceHolder()
        try await cloud.remember(isRemembered, try holder.user.requiredDevice(key), of: holder.user)
        return [:]
    }
}

extension SignedUserPoolCall {
    /// AdminGetDevice.
    mutating func adminGetDevice() async throws -> JSONValue? {
        let (id, name, key) = (try poolID(), try username(), try input.deviceKey())
        let user = try user(name, of: try pool(id))
        return ["Device": try user.requiredDevice(key).document(forAdministrator: true)]
    }

    /// AdminListDevices.
    mutating func adminListDevices() async throws -> JSONValue? {
        let (id, name, page) = (try poolID(), try username(), try input.devicePage())
        return try user(name, of: try pool(id)).listOfDevices(page, forAdministrator: true)
    }

    /// AdminForgetDevice.
    mutating func adminForgetDevice() async throws -> JSONValue? {
        let (id, name, key) = (try poolID(), try username(), try input.deviceKey())
        let user = try user(name, of: try pool(id))
        try await cloud.forget(try user.requiredDevice(key), of: user)
        return nil
    }

    /// AdminUpdateDeviceStatus.
    mutating func adminUpdateDeviceStatus() async throws -> JSONValue? {
        let (id, name, key) = (try poolID(), try username(), try input.deviceKey())
        let isRemembered = try input.remembersDevice()
        let user = try user(name, of: try pool(id))
        try await cloud.remember(isRemembered, try user.requiredDevice(key), of: user)
        return [:]
    }
}

import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

extension UserPoolSignIn {
    /// Returns the device that the client names; `nil` if it names none.
    /// - Throws: `ResourceNotFoundException` for one that the person does not have.
    func knownDevice(of user: UserPoolUser) throws(UserPoolError) -> UserPoolDevice? {
        guard let deviceKey else { return nil }
        guard pool.devices != nil, let device = user.device(deviceKey) else { throw .unknownDevice }
        return device
    }

    /// Notes that the password was proven, and lets the device prove its secret. Clients answer without the session.
    func deviceChallenge(_ device: UserPoolDevice, _ user: UserPoolUser) async throws -> Outcome {
        let proof = UserPoolDevice.PasswordProof(client: client.id, time: cloud.clock.now)
        try await cloud.change(user) { user in user.changeDevice(device.key) { $0.passwordProof = proof } }
        return try challenge("DEVICE_SRP_AUTH", user, ["USERNAME": .string(user.username), "DEVICE_KEY": .string(device.key)])
    }

    /// Returns the device with which a person who has proven the password signs in.
    private func provenDevice(
        of user: UserPoolUser
    ) throws(UserPoolError) -> (device: UserPoolDevice, proof: UserPoolDevice.PasswordProof) {
        guard user.isEnabled else { throw .disabledUser }
        guard let device = try knownDevice(of: user) else { throw .invalidParameter("Missing required parameter DEVICE_KEY") }
        guard device.isRemembered, let proof = device.passwordProof, proof.client == client.id,
            !cloud.clock.hasExpired(proof.time + .seconds(60 * client.sessionMinutes), issuedAt: proof.time)
        else { throw .wrongPassword }
        return (device, proof)
    }

    /// Returns the challenge of the SRP protocol for the secret of a device.
    func deviceVerifier(_ text: String?, _ responses: TextDictionary<String>) throws -> JSONValue {
        let name = try Self.required("USERNAME", in: responses)
        let value = try Self.publicValue(in: responses)
        try client.check(secretHash: responses["SECRET_HASH"], of: name)
        guard let user = cloud.directory.userPools.user(signingInAs: name, in: pool) else {
            throw client.hidesUnknownUsers ? UserPoolError.wrongPassword : UserPoolError.unknownUser
        }
        if let text {
            guard let session = UserPoolSession(text: text, in: cloud), session.challenge == "DEVICE_SRP_AUTH",
                session.client == client.id, session.sub == user.sub
            else { throw UserPoolError.invalidSession }
        }
        let (device, proof) = try provenDevice(of: user)
        let secret = try SecureRemotePassword.newSecret()
        let answer = try SecureRemotePassword.publicValue(secret: secret, verifier: device.verifier)
        let session = try UserPoolSession(
            challenge: "DEVICE_PASSWORD_VERIFIER", client: client, sub: user.sub, issued: cloud.clock.now,
            details: [
                "a": .string(value), "b": .string(secret.hex), "device": .string(device.key), "proven": .integer(proof.time.milliseconds),
            ])
        return [
            "ChallengeName": "DEVICE_PASSWORD_VERIFIER",
            "ChallengeParameters": [
                "SALT": .string(device.salt.hex), "SECRET_BLOCK": .string(try session.secretBlock(in: cloud)),
                "SRP_B": .string(answer.hex), "USERNAME": .string(user.username), "DEVICE_KEY": .string(device.key),
            ],
        ]
    }

    /// Checks the proof of a device's secret, which takes the place of a second factor if the pool says so.
    func answerDeviceVerifier(_ responses: TextDictionary<String>) async throws -> Outcome {
        let proof = try presentedProof("DEVICE_PASSWORD_VERIFIER", responses)
        guard let user = cloud.directory.userPools.user(sub: proof.session.sub, in: pool.id) else { throw UserPoolError.wrongPassword }
        let (device, password) = try provenDevice(of: user)
        guard proof.session.details["device"] == .string(device.key),
            proof.session.details["proven"] == .integer(password.time.milliseconds),
            proof.shows(device.verifier, of: device.group + device.key), proof.session.use(in: cloud)
        else { throw UserPoolError.wrongPassword }
        let (poolID, now, address) = (pool.id, cloud.clock.now, http.sourceIP)
        let changed = try await cloud.edit { directory in
            // The proof of the password is for one sign-in.
            guard let present = directory.userPools.user(sub: user.sub, in: poolID),
                present.device(device.key)?.passwordProof == password
            else { throw UserPoolError.wrongPassword }
            return try directory.changeUser(sub: user.sub, in: poolID, at: now) { user in
                user.changeDevice(device.key) { device in
                    device.passwordProof = nil
                    (device.authenticated, device.address) = (now, address)
                }
            }
        }
        guard pool.devices?.replacesFactor == true else { return try await proceedToSecondFactor(changed, "AuthenticateDevice") }
        return .signedIn(changed, source: "AuthenticateDevice")
    }

    /// Notes a login at the device that the client names.
    /// - Returns: the person with the device.
    func bind(_ login: UserPoolLogin, to user: UserPoolUser) async throws -> UserPoolUser {
        guard let device = try knownDevice(of: user) else { return user }
        let (now, address) = (cloud.clock.now, http.sourceIP)
        return try await cloud.change(user) { user in
            user.changeDevice(device.key) { device in
                device.logins = Array((device.logins + [login.id]).suffix(UserPoolDevice.mostLogins))
                (device.authenticated, device.address) = (now, address)
            }
        }
    }
}

import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

extension VendingCall {
    /// `/registeruser` of the identity machine, which people see in a browser.
    func registerUser() async throws -> Response {
        let parameters = try await parameters()
        // Only the machine's own page and programs register users.
        guard !http.source.isForeignPage else { return refuseRegistration(.forbidden) }
        guard let name = try? parameters.required("username"), let password = try? parameters.required("password") else {
            http.note(errorCode: "400")
            return VendingPage.missingParameters(of: machine).response(status: .badRequest)
        }
        guard VendingUser.isName(name), VendingUser.isPassword(password) else { return refuseRegistration(.badRequest) }
        try await enter("RegisterUser", as: nil)
        let user = VendingUser(
            name: name, id: try randomBytes(16).hex,
            secret: .hashes(VendingUser.hashes(of: password, name: name, app: machine.app, endpoints: endpoints)))
        let isNew = try await cloud.edit { directory in
            guard directory.vending.user(named: name) == nil else { return false }
            directory.put(.vending(.user(user)))
            return true
        }
        return isNew ? VendingPage.registered(at: machine).response() : refuseRegistration(.notAcceptable)
    }

    /// One page for a name or password that is none, and for a name that somebody has.
    private func refuseRegistration(_ status: HTTPResponse.Status) -> Response {
        http.note(errorCode: String(status.code))
        return VendingPage.registrationFailure(at: machine).response(status: status)
    }

    /// `/login` of the identity machine: a device gets a new key, encrypted under what is kept of its user's password.
    func login() async throws -> Response {
        let parameters = try await parameters()
        let name = try parameters.required("username")
        let timestamp = try parameters.required("timestamp")
        let signature = try parameters.required("signature")
        let uid = try parameters.required("uid")
        try check(timestamp: timestamp)
        guard let user = vending.user(named: name),
            let hash = user.hashes(app: machine.app, endpoints: endpoints).first(where: { hash in
                VendingSignature.holds(signature, of: timestamp, key: hash)
            })
        else { throw VendingRefusal(.unauthorized) }
        try await enter("Login", as: name)
        let device = VendingDevice(machine: .identity, uid: uid, key: try randomBytes(16).hex, userID: user.id)
        let isTheirs = try await cloud.edit { directory in
            if let known = directory.vending.device(uid, of: .identity), known.userID != user.id { return false }
            directory.put(.vending(.device(device)))
            return true
        }
        guard isTheirs else { throw VendingRefusal(.unauthorized) }
        return answer(try VendedText(key: device.key).encrypted(under: String(hash.prefix(32))))
    }
}

import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

extension VendingCall {
    /// `/registeruser` of the identity machine, a page for browsers.
    func registerUser() async throws -> Response {
        let parameters = try await parameters()
        // Only the machine's own page and programs can register users, not pages of other origins.
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

    /// Returns the page for an invalid name or password and for a name that is already in use.
    private func refuseRegistration(_ status: HTTPResponse.Status) -> Response {
        http.note(errorCode: String(status.code))
        return VendingPage.registrationFailure(at: machine).response(status: status)
    }

    /// `/login` of the identity machine: a device receives a new key, encrypted with the hash of its user's password.
    func login() async throws -> Response {
        let parameters = try await parameters()
        let name = try parameters.required("username")
        let timestamp = try parameters.required("timestamp")
        let signature = try parameters.required("signature")
        let uid = try parameters.required("uid")
        try check(timestamp: timestamp)
        guard let user = vending.user(named: name),
            let hash = user.hashes(app: machine.app, endpoints: endpoints).first(where: { hash in
                VendingSignature.isValid(signature, of: timestamp, key: hash)
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

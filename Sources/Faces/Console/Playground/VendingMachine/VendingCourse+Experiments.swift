import Cryptography
import WireFormats

extension VendingCourse {
    func experiments(in walk: Walk) -> [Experiment] {
        guard walk.token != nil else { return [] }
        let files =
            walk.credentials == nil
            ? []
            : Experiment.files(at: .s3, otherKey: "bob/shell.txt")
                + [Experiment.aging("PT24H1M", "A day passes, until the credentials have expired", at: .s3)]
        return (machine == .identity ? users : []) + devices + files
    }

    private var users: [Experiment] {
        [
            Experiment("password", "The wrong password", "HTTP 401") { [self] actions, walk in
                try await logIn(user.name, "wrong", by: actions).exchange
            },
            Experiment("login-skew", "The clock of the app is 20 minutes off at the login", "HTTP 408") { [self] actions, walk in
                try await logIn(user.name, user.password, by: actions, clock: .seconds(-1_200)).exchange
            },
            Experiment("taken", "Another person registers the same name", "HTTP 406") { [self] actions, walk in
                try await register(user.name, "another-password", by: actions)
            },
        ]
    }

    private var devices: [Experiment] {
        [
            Experiment("key", "The key of another device signs", "HTTP 401") { [self] actions, walk in
                try await token(key: try randomBytes(16).hex, by: actions).exchange
            },
            Experiment("device", "A device that is not registered", "HTTP 401") { [self] actions, walk in
                try await token(key: key, device: try randomBytes(16).hex, by: actions).exchange
            },
            Experiment("token-skew", "The clock of the app is 20 minutes off", "HTTP 408") { [self] actions, walk in
                try await token(key: key, by: actions, clock: .seconds(-1_200)).exchange
            },
            Experiment("sts", "STS fails for the machine", "HTTP 500") { [self] actions, walk in
                try await actions.withFault(["service": "sts", "action": "GetFederationToken", "error": "Throttling", "times": 1]) {
                    try await token(key: key, by: actions).exchange
                }
            },
        ]
    }

    func programs(of page: WalkPage) -> [WalkProgram] {
        guard page.walk.token != nil else { return [] }
        let url = CodeExport.quoted("\(page.visit.place.services)/tvm/\(machine.rawValue)/gettoken")
        return [
            WalkProgram(
                name: "Python",
                code: """
                    import base64, datetime, hashlib, hmac
                    import requests
                    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

                    uid, key = \(CodeExport.quoted(device)), \(CodeExport.quoted(key))
                    timestamp = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
                    signature = hmac.new(key.encode(), timestamp.encode(), hashlib.sha256).hexdigest()
                    answer = requests.get(\(url), params={"uid": uid, "timestamp": timestamp, "signature": signature})
                    sealed = base64.b64decode(answer.text)
                    aes = Cipher(algorithms.AES(bytes.fromhex(key)), modes.CBC(sealed[:16])).decryptor()
                    padded = aes.update(sealed[16:])
                    print(padded[:-padded[-1]].decode())
                    """)
        ]
    }
}

import Cloud

/// A rule that makes requests fail, delays them or drops their connections.
///
/// In patterns, `*` matches any characters and `?` matches one. A missing pattern matches every request.
///
/// ```swift
/// Fault(service: "s3", action: "Put*", error: "SlowDown", times: 2)
/// Fault(service: "company", latency: .seconds(1), times: .always)
/// ```
public struct Fault: Sendable {
    /// Where a connection is closed.
    public enum Connection: Sendable {
        /// After the request was received, before it is processed.
        case request
        /// After the request was processed: the response is lost.
        case answer
        /// In the middle of the response body.
        case body
    }

    /// How many requests a rule applies to.
    public enum Repetition: Sendable, Equatable, ExpressibleByIntegerLiteral {
        /// At most this number of requests.
        case times(Int)
        /// All requests.
        case always

        /// At most this number of requests.
        public init(integerLiteral times: Int) { self = .times(times) }
    }

    /// An error of a service. A string literal is its code.
    public struct ServiceError: Sendable, Equatable, ExpressibleByStringLiteral {
        let code: String
        let status: Int?
        let message: String?

        /// An error that Virga knows, by its code, such as `SlowDown` or `invalid_grant`.
        public init(stringLiteral code: String) { self = .code(code) }

        /// Returns an error.
        /// - Parameters:
        ///   - code: the error code.
        ///   - status: the HTTP status code; required for codes that Virga does not know.
        ///   - message: the message, in place of the usual one.
        public static func code(_ code: String, status: Int? = nil, message: String? = nil) -> ServiceError {
            ServiceError(code: code, status: status, message: message)
        }

        private init(code: String, status: Int?, message: String?) {
            self.code = code
            self.status = status
            self.message = message
        }
    }

    let rule: FaultRule

    /// Creates a rule.
    /// - Parameters:
    ///   - name: a name for people.
    ///   - service: a pattern for the service: `s3`, `sts`, `iam`, …, or the name of an identity provider.
    ///   - action: a pattern for the operation, such as `Put*`.
    ///   - caller: the caller. A rule for `.anonymous` matches no request: requests without a caller match rules without one.
    ///   - resource: a pattern for the ARN or path of the resource.
    ///   - error: the error that the client receives.
    ///   - connection: where the connection is closed.
    ///   - latency: the delay before the response, at most an hour.
    ///   - times: how many requests the rule applies to.
    ///   - probability: the fraction of the matching requests that the rule applies to, more than 0 and at most 1.
    ///   - seed: the seed of the random choice. The same seed selects the same requests.
    public init(
        name: String? = nil, service: String? = nil, action: String? = nil, caller: Caller = .anyone, resource: String? = nil,
        error: ServiceError? = nil, connection: Connection? = nil, latency: Duration = .zero, times: Repetition = 1,
        probability: Double = 1, seed: UInt64 = 0
    ) {
        var rule = FaultRule(
            name: name, service: service, action: action, caller: caller.pattern, resource: resource, latency: latency,
            probability: probability, seed: seed)
        rule.failure = error.map { FaultRule.Failure(code: $0.code, status: $0.status, message: $0.message) }
        rule.drop =
            switch connection {
            case nil: nil
            case .request: .request
            case .answer: .answer
            case .body: .body
            }
        rule.times =
            switch times {
            case .times(let count): count
            case .always: nil
            }
        self.rule = rule
    }

    /// Returns a rule that fails requests of a service.
    public static func error(_ error: ServiceError, service: String, action: String? = nil, times: Repetition = 1) -> Fault {
        Fault(service: service, action: action, error: error, times: times)
    }

    /// Returns a rule that delays requests of a service.
    public static func latency(_ latency: Duration, service: String, action: String? = nil, times: Repetition = .always) -> Fault {
        Fault(service: service, action: action, latency: latency, times: times)
    }
}

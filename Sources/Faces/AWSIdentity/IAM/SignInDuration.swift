import Directory
import HTTPTypes
import WireFormats

extension QueryParameters {
    /// Reads `MaxSigninSessionDuration`, in seconds. (IAM API Reference, "CreateRole", "CreateLoginProfile".) It is stored and returned;
    /// AWS's console, whose sessions it limits, is not here.
    mutating func signInDuration() throws(ServiceError) -> Int? { try integer("MaxSigninSessionDuration", range: Role.signInDurations) }
}

/// A change of `MaxSigninSessionDuration`: a new value, or none from now on.
struct SignInDurationChange: Sendable {
    private let duration: Int?
    private let isReset: Bool

    init(_ parameters: inout QueryParameters) throws(ServiceError) {
        duration = try parameters.signInDuration()
        isReset = try parameters.flag("ResetMaxSigninSessionDuration") ?? false
        if isReset, duration != nil {
            // Virga's wording.
            parameters.refuse(.validation("MaxSigninSessionDuration and ResetMaxSigninSessionDuration cannot both be specified."))
        }
    }

    /// Whether the setting stays as it is.
    var isEmpty: Bool { duration == nil && !isReset }

    func apply(to value: inout Int?) { value = isReset ? nil : duration ?? value }
}

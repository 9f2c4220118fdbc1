import Calls
import Directory
import WireFormats

extension Visit {
    /// The text of the login page for a disabled user, in the provider's words.
    var disabledAccount: String {
        if isRealm { return "Account is disabled, contact your administrator." }
        return provider.kind.isSocial ? "Your account has been disabled." : "This account is disabled. Contact your administrator."
    }

    /// The error of a token endpoint for what was issued to a user who is disabled now.
    var disabledUser: OAuthError { OAuthError(.invalidGrant, isRealm ? "User disabled" : "The user is disabled.") }
}

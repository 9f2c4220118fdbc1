import Calls
import Directory
import WireFormats

extension Visit {
    /// The text of the login page for a disabled user, in the provider's words.
    var disabledAccount: String {
        provider.kind.isSocial ? "Your account has been disabled." : manners.refusals.disabledAccount
    }

    /// The error of a token endpoint for what was issued to a user who is disabled now.
    var disabledUser: OAuthError { manners.refusals.disabledHolder }
}

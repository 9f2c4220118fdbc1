import Calls
import HTTPTypes
import WireFormats

extension Parts {
    /// A box for an error at the place of the form that caused it. It receives the focus.
    static func refusalBox(_ refusal: ConsoleRefusal) -> HTML {
        """
        <div class="error" role="alert" tabindex="-1" data-focus><p><strong>✗ That did not work.</strong> \(value(refusal.message, limit: 2_000))</p>
        <p class="soft">Code: <code>\(refusal.code.visible)</code></p></div>

        """
    }
}

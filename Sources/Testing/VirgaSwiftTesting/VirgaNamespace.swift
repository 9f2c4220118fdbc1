public import VirgaTesting

/// The cloud of the current test.
public enum Virga {
    /// The cloud of the task, if it has one.
    @TaskLocal static var bound: RunningCloud?

    /// The cloud of the current test, which a ``VirgaTrait`` provides.
    ///
    /// ```swift
    /// let cloud = try Virga.current
    /// ```
    /// Reading throws `CloudError` with the code `noCurrentCloud` outside of a test with the trait, and in detached tasks.
    public static var current: RunningCloud {
        get throws(CloudError) {
            guard let bound else {
                throw CloudError(
                    .noCurrentCloud,
                    "No cloud belongs to this task. Add the trait .virga() to the suite or the test, and read Virga.current in the test's own task, not in a detached one."
                )
            }
            return bound
        }
    }
}

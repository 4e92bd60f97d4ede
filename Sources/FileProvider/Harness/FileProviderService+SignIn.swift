extension FileProviderService {
    /// Signs in with a person's answers, in a separate instance that is discarded afterwards.
    ///
    /// - Parameters:
    ///   - domain: need not exist yet. The answers that are not secret are added to its settings.
    ///   - form: the identifier of one of the forms.
    ///   - values: the answers by their keys.
    ///   - interaction: asks the person for further steps.
    /// - Returns: the result. Its `settings` replace all settings of the domain.
    /// - Throws: ``FileProviderError``: `notAuthenticated` when the service refuses; nothing has been kept then.
    func authenticate(
        _ domain: FileProviderDomain, form: String, values: [String: String], interaction: SignInInteraction
    ) async throws -> SignedIn {
        guard let form = try signInForms().first(where: { $0.identifier == form }) else {
            throw FileProviderError(.invalidArgument, "The provider has no sign-in form \"\(form)\".")
        }
        let answers = try SignInAnswers(values, to: form)
        var trial = domain
        trial.settings.merge(answers.settings) { $1 }
        let provider = try makeTrial(trial)
        do {
            var result = try await provider.authenticate(answers, interaction: interaction)
            await provider.signOut()
            guard result.credential.secret?.isEmpty == false else {
                throw FileProviderError(.failed, "The provider signed in but returned no secret for later sign-ins.")
            }
            result.settings = domain.settings.merging(result.settings ?? answers.settings) { $1 }
            return result
        } catch {
            await provider.signOut()
            throw error
        }
    }
}

/** The person check before a person's verb. */
export async function assurePerson(_verb: string, _what: string): Promise<void> {}

"""What tests share: small models and corpora, naive references, running commands."""

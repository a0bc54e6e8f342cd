"""Secrets of every form, put together here, so that no scanner takes a test for a leak."""

from __future__ import annotations

RANDOM = "q7Rt2Kx9Lm4Np8Ws3Zv6Bc1Df5Gh0JkTyUiOpAsE"
FORMS = {  # what must not be found again
    "aws": "AKIA" + "Z7Q2M4N6P8R0T2V4",
    "github": "ghp_" + RANDOM[:36],
    "github fine-grained": "github_pat_" + RANDOM,
    "gitlab": "glpat-" + RANDOM[:20],
    "slack": "xoxb-" + "123456789012-" + RANDOM[:24],
    "stripe": "sk_live_" + RANDOM[:24],
    "openai": "sk-proj-" + RANDOM,
    "anthropic": "sk-ant-" + RANDOM,
    "google": "AIza" + RANDOM[:35],
    "npm": "npm_" + RANDOM[:36],
    "pypi": "pypi-" + RANDOM,
    "sendgrid": "SG." + RANDOM[:22] + "." + RANDOM[:40],
    "hugging face": "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh",
    "twilio": "SK" + "0123456789abcdef" * 2,
    "telegram": "1234567890:AA" + RANDOM[:33],
    "web token": "eyJhbGciOiJI.eyJzdWIiOiIx.".replace("I.", "Izz.") + RANDOM,
    "slack webhook": "hooks.slack.com/services/T0/B0/" + RANDOM[:24],
    "vault": "hvs." + RANDOM[:30],
    "square": "sq0atp-" + RANDOM[:22],
    "databricks": "dapi" + "0123456789abcdef" * 2,
    "linear": "lin_api_" + RANDOM,
    "postman": "PMAK-" + "0123456789abcdef01234567-" + "0123456789abcdef" * 2 + "01",
    "grafana": "glsa_" + RANDOM[:32] + "_abcdef12",
    "azure": "abc8Q~" + RANDOM[:34],
    "firebase": "AAAAq7Rt2Kx" + ":APA91b" + RANDOM,
    "doppler": "dp.pt." + RANDOM,
    "mailgun": "key-" + "3ax6xnjp29jd6fds4gc373sgvjxteol0",
    "discord": "MTIzNDU2Nzg5MDEyMzQ1Njc4." + "GabcdE." + RANDOM[:38],
    "age": "AGE-SECRET-KEY-1" + RANDOM.upper() + "QQPQZQ",
    "link with a signature": "X-Amz-Signature=" + "0123456789abcdef" * 4,
    "link to a blob": "sig=" + RANDOM[:30] + "%2BTyUi%3D",
    "random": RANDOM,
}

"""URLs of the tournament API, version 1."""

from django.urls import path

from tournaments.check_in import api as check_in
from tournaments.desk import api as desk
from tournaments.draws import api as draws
from tournaments.entries.api import entries, merging, numbers, phones
from tournaments.entries.api.answers import OwnCustomFields
from tournaments.events.api import conduct
from tournaments.events.api import views as events
from tournaments.events.api.limits import EventLimitsView
from tournaments.hall import api as hall
from tournaments.leagues.api import arranging
from tournaments.matches.api import analyses as match_analyses
from tournaments.matches.api import answers, corrected, quiz, report, rulings
from tournaments.matches.api import phones as own_phones
from tournaments.matrix.api import matrix
from tournaments.notices import api as notices
from tournaments.prizes import api as prizes
from tournaments.repairs import api as repairs
from tournaments.rounds import api as rounds
from tournaments.series.api import copying, days, series
from tournaments.site.api import analyses, claims, federations, results
from tournaments.site.api import read as reading

app_name = "api"

urlpatterns = [
    path("events/", reading.EventList.as_view(), name="events"),
    path("events/<slug:event>/", reading.EventDetail.as_view(), name="event"),
    path("events/<slug:event>/bracket/", reading.EventBracket.as_view(), name="bracket"),
    path("events/<slug:event>/draws/", reading.EventDraws.as_view(), name="draws"),
    path("events/<slug:event>/trail-head/", reading.EventTrailHead.as_view(), name="trail-head"),
    path("events/<slug:event>/analyses/", analyses.EventAnalyses.as_view(), name="event-analyses"),
    path("events/<slug:event>/positions/", quiz.EventPositions.as_view(), name="event-positions"),
    path("positions/<slug:position>/", quiz.PositionView.as_view(), name="position"),
    path("events/<slug:event>/matches/", reading.EventMatches.as_view(), name="matches"),
    path("events/<slug:event>/entries/", entries.Entries.as_view(), name="entries"),
    path(
        "events/<slug:event>/entries/<slug:entry>/buy-back/", repairs.ReenterEntry.as_view(), name="buy-back"
    ),
    path(
        "events/<slug:event>/entries/<slug:entry>/withdraw/",
        repairs.WithdrawEntry.as_view(),
        name="withdraw-entry",
    ),
    path(
        "events/<slug:event>/entries/<slug:entry>/reinstate/",
        repairs.ReinstateEntry.as_view(),
        name="reinstate",
    ),
    path("events/<slug:event>/expected/", entries.PendingEntries.as_view(), name="expected"),
    path("events/<slug:event>/entries/<slug:entry>/approve/", entries.ApproveEntry.as_view(), name="approve"),
    path(
        "events/<slug:event>/entries/<slug:entry>/turn-away/",
        entries.DeclineEntry.as_view(),
        name="turn-away",
    ),
    path(
        "events/<slug:event>/entries/<slug:entry>/let-in/",
        entries.AdmitFromWaitingList.as_view(),
        name="let-in",
    ),
    path("events/<slug:event>/check-in/", check_in.CheckIns.as_view(), name="check-ins"),
    path("events/<slug:event>/check-in/mark/", check_in.CheckInEntries.as_view(), name="mark-here"),
    path("events/<slug:event>/randomness/", draws.NameRandomness.as_view(), name="name-randomness"),
    path("events/<slug:event>/draw-gates/", draws.DrawGates.as_view(), name="draw-gates"),
    path("events/<slug:event>/limits/", EventLimitsView.as_view(), name="limits"),
    path("events/<slug:event>/matrix/", matrix.PlayersTableView.as_view(), name="matrix"),
    path("events/<slug:event>/matrix/columns/", matrix.CustomFieldsView.as_view(), name="matrix-columns"),
    path("events/<slug:event>/matrix/undo/", matrix.PlayersTableUndo.as_view(), name="matrix-undo"),
    path("events/<slug:event>/phones/", phones.PhoneRequests.as_view(), name="phones-asking"),
    path("events/<slug:event>/entries/<slug:entry>/phones/", phones.EntryPhones.as_view(), name="phones"),
    path(
        "events/<slug:event>/entries/<slug:entry>/phones/forget/",
        phones.ForgetPhones.as_view(),
        name="forget-phones",
    ),
    path(
        "events/<slug:event>/entries/<slug:entry>/phones/<int:number>/let-in/",
        phones.AllowPhone.as_view(),
        name="let-phone-in",
    ),
    path(
        "events/<slug:event>/entries/<slug:entry>/phones/<int:number>/refuse/",
        phones.RefusePhone.as_view(),
        name="refuse-phone",
    ),
    path("link/phone/", own_phones.LinkPhone.as_view(), name="link-phone"),
    path("link/code/", own_phones.LinkCode.as_view(), name="link-code"),
    path("events/<slug:event>/points/", reading.EventPoints.as_view(), name="points"),
    path("events/<slug:event>/copy/", copying.CopyEvent.as_view(), name="copy-event"),
    path("events/<slug:event>/series/", series.EventSeries.as_view(), name="event-series"),
    path("events/<slug:event>/conduct/", conduct.EventConductView.as_view(), name="conduct"),
    path("events/<slug:event>/prizes/", prizes.EventPrizesView.as_view(), name="prizes"),
    path("events/<slug:event>/prizes/take-back/", prizes.UndoPrizes.as_view(), name="take-back-prizes"),
    path("events/<slug:event>/seasons/", reading.EventSeasons.as_view(), name="seasons"),
    path("events/<slug:event>/tables/", hall.EventTables.as_view(), name="tables"),
    path("events/<slug:event>/notices/", notices.Notices.as_view(), name="notices"),
    path(
        "events/<slug:event>/notices/<slug:notice>/withdraw/",
        notices.WithdrawNotice.as_view(),
        name="withdraw-notice",
    ),
    path("events/<slug:event>/desk-notes/", desk.DeskNotes.as_view(), name="desk-notes"),
    path(
        "events/<slug:event>/desk-notes/<slug:note>/done/",
        desk.SettleDeskNote.as_view(),
        name="settle-desk-note",
    ),
    path("events/<slug:event>/answers/", answers.EventAnswers.as_view(), name="answers"),
    path("events/<slug:event>/call-next/", hall.CallNext.as_view(), name="call-next"),
    path("events/<slug:event>/undo-calls/", hall.UndoCalls.as_view(), name="undo-calls"),
    path("events/<slug:event>/undo-entries/", entries.UndoEntries.as_view(), name="undo-entries"),
    path(
        "events/<slug:event>/entries/<slug:entry>/answers/", OwnCustomFields.as_view(), name="entry-answers"
    ),
    path("matches/<slug:match>/", reading.MatchDetail.as_view(), name="match"),
    path("matches/<slug:match>/report/", report.ReportResult.as_view(), name="report"),
    path(
        "matches/<slug:match>/records/<int:version>/copies/",
        corrected.RecordCorrections.as_view(),
        name="record-copies",
    ),
    path("matches/<slug:match>/analysis/", match_analyses.MatchAnalysisView.as_view(), name="analysis"),
    path("events/<slug:event>/analysing/", match_analyses.EventAnalysesView.as_view(), name="analysing"),
    path(
        "events/<slug:event>/analysing/call-off/",
        match_analyses.CancelAnalyses.as_view(),
        name="call-analyses-off",
    ),
    path("matches/<slug:match>/agree/", report.AgreeToReport.as_view(), name="agree"),
    path("matches/<slug:match>/object/", report.ObjectToResult.as_view(), name="object"),
    path("matches/<slug:match>/answer/", answers.AnswerCall.as_view(), name="answer"),
    path("matches/<slug:match>/arrangement/", arranging.MatchArrangement.as_view(), name="arrangement"),
    path("matches/<slug:match>/arrangement/times/", arranging.OfferTimes.as_view(), name="offer-times"),
    path("matches/<slug:match>/arrangement/agree/", arranging.AgreeToTime.as_view(), name="agree-to-time"),
    path("matches/<slug:match>/arrangement/decline/", arranging.DeclineTimes.as_view(), name="decline-times"),
    path("matches/<slug:match>/arrangement/call-off/", arranging.CancelTime.as_view(), name="call-off-time"),
    path(
        "matches/<slug:match>/arrangement/messages/", arranging.WriteMessage.as_view(), name="write-message"
    ),
    path(
        "matches/<slug:match>/arrangement/report/", arranging.ReportConversation.as_view(), name="report-talk"
    ),
    path("matches/<slug:match>/talk/", arranging.MatchConversation.as_view(), name="talk"),
    path("matches/<slug:match>/award/", rulings.AwardPoints.as_view(), name="award"),
    path("matches/<slug:match>/late/", rulings.AwardForLateness.as_view(), name="late"),
    path("matches/<slug:match>/slow/", rulings.AwardForSlowPlay.as_view(), name="slow"),
    path("matches/<slug:match>/clock/", rulings.AddClock.as_view(), name="clock"),
    path("matches/<slug:match>/clock/off/", rulings.RemoveClock.as_view(), name="clock-off"),
    path("matches/<slug:match>/take-back-award/", rulings.RemoveAward.as_view(), name="take-back-award"),
    path("matches/<slug:match>/adjourn/", rulings.AdjournMatch.as_view(), name="adjourn"),
    path("matches/<slug:match>/resume/", rulings.ResumeMatch.as_view(), name="resume"),
    path(
        "matches/<slug:match>/correct/preview/",
        repairs.PreviewCorrection.as_view(),
        name="correct-preview",
    ),
    path("matches/<slug:match>/correct/", repairs.CorrectResult.as_view(), name="correct"),
    path("events/<slug:event>/undo/", repairs.UndoRepair.as_view(), name="undo"),
    path("events/<slug:event>/play-off/", rounds.PlayOff.as_view(), name="play-off"),
    path(
        "events/<slug:event>/play-off/take-back/",
        rounds.CancelPlayOff.as_view(),
        name="take-back-play-off",
    ),
    path("events/<slug:event>/play-off/record/", rounds.RecordPlayOff.as_view(), name="record-play-off"),
    path(
        "events/<slug:event>/play-off/forget/", rounds.DiscardPlayOffOrders.as_view(), name="forget-play-offs"
    ),
    path("clubs/", reading.ClubList.as_view(), name="clubs"),
    path("clubs/<slug:club>/events/", events.ClubEvents.as_view(), name="club-events"),
    path("clubs/<slug:club>/series/", series.ClubSeries.as_view(), name="club-series"),
    path("clubs/<slug:club>/templates/", series.ClubTemplates.as_view(), name="club-templates"),
    path("clubs/<slug:club>/templates/<slug:template>/", series.OneTemplate.as_view(), name="club-template"),
    path(
        "clubs/<slug:club>/templates/<slug:template>/events/",
        series.UseTemplate.as_view(),
        name="use-template",
    ),
    path("series/<slug:series>/", series.OneSeries.as_view(), name="series"),
    path("series/<slug:series>/days/", days.DaysOfSeries.as_view(), name="series-days"),
    path("series/<slug:series>/table/", days.TableOfSeries.as_view(), name="series-table"),
    path("clubs/<slug:club>/", reading.ClubDetail.as_view(), name="club"),
    path("clubs/<slug:club>/analyses/", analyses.ClubAnalyses.as_view(), name="club-analyses"),
    path(
        "clubs/<slug:club>/analyses/players/",
        analyses.ClubAnalysesPlayers.as_view(),
        name="club-analyses-players",
    ),
    path("clubs/<slug:club>/results/", results.ClubResults.as_view(), name="results"),
    path("clubs/<slug:club>/federations/", federations.ClubFederations.as_view(), name="federations"),
    path(
        "clubs/<slug:club>/federations/leave/", federations.LeaveFederation.as_view(), name="leave-federation"
    ),
    path("clubs/<slug:club>/claims/", claims.OpenClaims.as_view(), name="claims"),
    path("clubs/<slug:club>/claims/<int:claim>/answer/", claims.AnswerClaim.as_view(), name="answer-claim"),
    path("clubs/<slug:club>/players/<slug:player>/offer/", claims.OfferPlayer.as_view(), name="offer-player"),
    path(
        "clubs/<slug:club>/players/<slug:player>/release/",
        claims.ReleasePlayer.as_view(),
        name="release-player",
    ),
    path("clubs/<slug:club>/players/<slug:player>/merge/", merging.MergePlayer.as_view(), name="merge"),
    path(
        "clubs/<slug:club>/players/<slug:player>/numbers/",
        numbers.PlayerNumbers.as_view(),
        name="player-numbers",
    ),
    path("clubs/<slug:club>/players/<slug:player>/unmerge/", merging.UnmergePlayer.as_view(), name="unmerge"),
    path("clubs/<slug:club>/invitations/", claims.Invitations.as_view(), name="invitations"),
    path(
        "clubs/<slug:club>/invitations/<slug:invitation>/withdraw/",
        claims.WithdrawInvitation.as_view(),
        name="withdraw-invitation",
    ),
    path("players/take/", claims.ClaimPlayer.as_view(), name="take-player"),
    path("invitations/accept/", claims.AcceptInvitation.as_view(), name="accept-invitation"),
    path("invitations/decline/", claims.DeclineInvitation.as_view(), name="decline-invitation"),
    path("players/", reading.PlayerList.as_view(), name="players"),
    path("players/<slug:player>/analyses/", analyses.PlayerAnalyses.as_view(), name="player-analyses"),
    path(
        "players/<slug:player>/analyses/matches/",
        analyses.PlayerAnalysesMatches.as_view(),
        name="player-analyses-matches",
    ),
    path("players/<slug:player>/", reading.PlayerDetail.as_view(), name="player"),
]
